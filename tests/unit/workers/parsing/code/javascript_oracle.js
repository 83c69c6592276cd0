// The definitions of JavaScript files by acorn, the parser that Node carries: the oracle of the index. Of TypeScript's, Node blanks the types.
// Run with --expose-internals; reads a JSON list of paths from stdin, writes a line for each: null, or rows of [name, kind, first, last line].
"use strict";
const { readFileSync } = require("node:fs");
const { stripTypeScriptTypes } = require("node:module");
const acorn = require("internal/deps/acorn/acorn/dist/acorn");

function* rows(node, start) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const one of node) yield* rows(one);
    return;
  }
  const lines = [(start ?? node).loc?.start.line, node.loc?.end.line];
  if (node.type === "FunctionDeclaration" && node.id) yield [node.id.name, "function", ...lines];
  if (node.type === "ClassDeclaration" && node.id) {
    yield [node.id.name, "class", ...lines];
    for (const one of node.body.body) {
      const isNamed = one.type === "MethodDefinition" && !one.computed && one.key.name !== undefined;
      const hash = isNamed && one.key.type === "PrivateIdentifier" ? "#" : "";
      if (isNamed) yield [hash + one.key.name, "method", one.loc.start.line, one.loc.end.line];
    }
  }
  for (const [key, value] of Object.entries(node)) {
    if (key !== "loc") yield* rows(value, key === "declaration" ? node : undefined);
  }
}

function withoutTypes(source) {
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    if (!["ERR_INVALID_TYPESCRIPT_SYNTAX", "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX"].includes(error.code)) throw error;
    return null;
  }
}

function parsed(source) {
  if (source === null) return null;
  for (const sourceType of ["module", "script"]) {
    try {
      return acorn.parse(source, { ecmaVersion: "latest", sourceType, locations: true, allowHashBang: true, allowReturnOutsideFunction: true });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}

for (const path of JSON.parse(readFileSync(0, "utf8"))) {
  const source = readFileSync(path, "utf8");
  const tree = parsed(path.endsWith(".ts") ? withoutTypes(source) : source);
  process.stdout.write(JSON.stringify(tree && [...rows(tree)]) + "\n");
}
