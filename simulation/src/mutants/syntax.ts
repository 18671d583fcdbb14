import { parseSync } from 'oxc-parser'
import type { SourceFile } from './library-source.js'

/** A part of the code, with the part that it belongs to. */
export interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  /** The field of its parent that it stands in, such as `arguments`. */
  readonly field: string
  readonly parent: Syntax | undefined
  readonly children: readonly Syntax[]
}

export interface Comment {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface ParsedFile {
  readonly program: Syntax
  readonly comments: readonly Comment[]
}

/** @throws Error where the text is not TypeScript */
export function parsedFile({ path, text }: SourceFile): ParsedFile {
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return {
    program: syntaxOf(program as unknown as RawNode, 'program', undefined),
    comments: comments.map(({ value, start, end }) => ({ text: value, start, end })),
  }
}

interface RawNode {
  readonly type: string
  readonly start: number
  readonly end: number
}

function syntaxOf(node: RawNode, field: string, parent: Syntax | undefined): Syntax {
  const children: Syntax[] = []
  const syntax = { type: node.type, start: node.start, end: node.end, field, parent, children }
  for (const [name, value] of Object.entries(node)) {
    for (const child of [value as unknown].flat()) {
      if (isNode(child)) children.push(syntaxOf(child, name, syntax))
    }
  }
  return syntax
}

function isNode(value: unknown): value is RawNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
