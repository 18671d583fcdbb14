import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLParseError,
} from 'yaml'
import { ProxyError } from '../errors/proxy-error.js'

/** A configuration and the lines of its values. */
export interface ConfigFile {
  readonly value: unknown
  /** The error for the value at a path. The sentence is completed with the file and the line. */
  problem(path: readonly PropertyKey[], sentence: string, cause?: unknown): ProxyError
}

const NEITHER = 'This is neither YAML nor JSON'

/**
 * Parses a configuration in YAML or JSON, which is a subset of YAML.
 * @throws ProxyError `config.syntax`
 */
export function parseConfigFile(file: string, source: string): ConfigFile {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, merge: true, prettyErrors: false })
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const syntaxProblem = (offset: number, message: string) => {
    const { line, column } = place(offset)
    const sentence = `${file}:${line}:${column}: ${message}.`
    return new ProxyError('config.syntax', sentence.replace(/\.+$/, '.'), { file, line, column })
  }
  const [error] = document.errors
  if (error !== undefined) throw syntaxProblem(error.pos[0], sentenceOf(error, source))
  return {
    value: resolved(document, (message) => syntaxProblem(0, `${NEITHER}: ${message}`)),
    problem(path, sentence, cause) {
      const { line, column } = place(offsetOf(document, path))
      const details = { file, line, column, option: path.join('.') }
      return new ProxyError('config.invalid', `${file}:${line}:${column}: ${sentence}`, details, cause)
    },
  }
}

/** The parser's own sentences about these two are for programmers, or do not name the option. */
function sentenceOf({ code, pos: [begin], message }: YAMLParseError, source: string): string {
  if (code === 'MULTIPLE_DOCS') {
    return 'This is a second YAML document; the configuration must be one. Remove the line ---'
  }
  const [, name] = /^["']?([\w.$-]+)/.exec(source.slice(begin)) ?? []
  if (code === 'DUPLICATE_KEY' && name !== undefined) return `${name} is there twice; keep one of the two`
  return `${NEITHER}: ${message}`
}

/** Aliases are resolved here, and may contain themselves. */
function resolved(document: Document.Parsed, problem: (message: string) => ProxyError): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw problem(error instanceof Error ? error.message : String(error))
  }
}

/** Where the value at a path begins. Of a value that is missing, where the object begins that should have it. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents
  let offset = rangeOf(node)
  for (const member of path) {
    if (!isMap(node)) {
      const child = (node as { get?(index: PropertyKey, keep: true): unknown } | null)?.get?.(member, true)
      if (child === undefined) return offset
      node = child
      offset = rangeOf(node) || offset
      continue
    }
    const pair = node.items.find(
      (each: Pair) => isScalar(each.key) && String(each.key.value) === String(member),
    )
    if (pair === undefined) return offset
    offset = rangeOf(pair.key) || offset
    node = pair.value
  }
  return isScalar(node) ? rangeOf(node) || offset : offset
}

function rangeOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0
}
