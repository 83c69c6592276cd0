"""Reading sessions of `read_code_context`: what one is, what a store of them does, and the store of the embedded form.

The worker checks and commits a session; the gateway reads its resource. In the embedded form both do that in one process, so the store in
memory stands here; the hosted form keeps sessions in Redis, under the names in `redis_keys.py`.
"""
