import { isAlias, isMap, isPair, isScalar, isSeq } from 'yaml'
import { isPlainObject, type Plain, type PlainObject } from './plain.js'

type Range = readonly [from: number, to: number]

/** A small template with aliases can expand to a lot. */
const MAX_NODES = 1_000_000
const MAX_DEPTH = 200

/** Tags whose long form is not `Fn::` and the name. */
const LONG_FORMS: { readonly [tag: string]: string } = { '!Ref': 'Ref', '!Condition': 'Condition' }

/** Converts the nodes of YAML into plain values. CloudFormation's short forms become long ones, as in JSON. */
export class PlainNodes {
  readonly #refuse: (rule: string) => Error
  readonly #ranges = new WeakMap<PlainObject, Range>()
  /** Nodes by their anchors. An alias follows its anchor, so it is known by then. */
  readonly #anchors = new Map<string, unknown>()
  #count = 0

  /** @param refuse makes the error for a document that is too large */
  constructor(refuse: (rule: string) => Error) {
    this.#refuse = refuse
  }

  rangeOf(value: PlainObject): Range | undefined {
    return this.#ranges.get(value)
  }

  plain(node: unknown, depth = 0): Plain {
    if (++this.#count > MAX_NODES) throw this.#refuse(`it has more than ${MAX_NODES} values`)
    if (depth > MAX_DEPTH) throw this.#refuse(`its values are nested more than ${MAX_DEPTH} times`)
    if (isAlias(node)) return this.plain(this.#anchors.get(node.source), depth + 1)
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node)
    const content = this.#content(node, depth)
    const tag = isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined
    return tag?.startsWith('!') && !tag.startsWith('!!') ? longForm(tag, content) : content
  }

  #content(node: unknown, depth: number): Plain {
    if (isScalar(node)) return scalar(node.value)
    if (isSeq(node)) return node.items.map((item) => this.plain(item, depth + 1))
    if (!isMap(node)) return null
    const object: PlainObject = {}
    for (const pair of node.items) {
      if (!isPair(pair)) continue
      const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
      const value = this.plain(pair.value, depth + 1)
      this.#beginAtName(pair.key, pair.value, value)
      // What a merge brings does not replace what is there.
      if (key === '<<') for (const part of Array.isArray(value) ? value : [value]) merge(object, part)
      else Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
    }
    if (node.range) this.#ranges.set(object, [node.range[0], node.range[1]])
    return object
  }

  /** A member's definition begins where its name stands, which is where a reader looks. */
  #beginAtName(name: unknown, node: unknown, value: Plain): void {
    if (!isPlainObject(value) || !isScalar(name) || !(isMap(node) || isAlias(node))) return
    if (name.range && node.range) this.#ranges.set(value, [name.range[0], node.range[1]])
  }
}

function merge(object: PlainObject, part: Plain): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return
  for (const [name, value] of Object.entries(part)) if (!Object.hasOwn(object, name)) object[name] = value
}

function scalar(value: unknown): Plain {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return null
}

/** `!GetAtt Table.Arn` as `{ "Fn::GetAtt": ["Table", "Arn"] }`. */
function longForm(tag: string, content: Plain): Plain {
  const name = LONG_FORMS[tag] ?? `Fn::${tag.slice(1)}`
  return { [name]: name === 'Fn::GetAtt' && typeof content === 'string' ? content.split('.') : content }
}
