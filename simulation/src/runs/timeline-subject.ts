import type { TraceLine } from '../world/trace.js'
import type { Violation } from '../world/violation.js'

/** What a line of a trace has to do with a violation. */
export type Relation = 'write' | 'count' | 'mischief' | 'reading' | 'miss' | 'end'

const WRITE = /^(PutItem|UpdateItem|DeleteItem|BatchWriteItem|TransactWriteItems) /
const READING = /^(GetItem|Query|BatchGetItem|TransactGetItems) /
const MISCHIEF = /^(pauses|crashes|its clock)/
const END = /^(no more load|VIOLATION)/
const COUNT = /^(\S+)_shard_map (.*): /
const PROCESS_NAME = /\bp\d+(#\d+)?/g

/** The item that a violation is about, or the shard map's item of the key where it is about a key as a whole. */
export class TimelineSubject {
  readonly #key: RegExp
  /** The table's name stands before the item then. */
  readonly #isOfKey: boolean
  readonly #parts: readonly RegExp[]
  readonly #readers: ReadonlySet<string>
  readonly #participants: Set<string>
  readonly #writes: readonly TraceLine[]
  /** Tables that were looked for in the writes. */
  readonly #tables = new Map<string, boolean>()

  constructor({ about, message }: Violation, lines: readonly TraceLine[]) {
    const [key = ''] = about
    this.#key = wordPattern(key)
    this.#isOfKey = about.length === 1
    this.#parts = this.#isOfKey ? [/_shard_map /, this.#key] : about.map(wordPattern)
    this.#readers = new Set(message.match(PROCESS_NAME))
    this.#participants = new Set(this.#readers)
    this.#writes = lines.filter(({ what }) => this.#isWrite(what))
    for (const { who } of this.#writes) this.#participants.add(who)
  }

  /** What it has to do with it; nothing for most lines. */
  relationOf({ at, who, what }: TraceLine): Relation | undefined {
    if (END.test(what)) return 'end'
    if (MISCHIEF.test(what)) {
      const isBefore = at < (this.#writes[0]?.at ?? 0)
      return !isBefore && this.#participants.has(who) ? 'mischief' : undefined
    }
    if (who === 'service') return this.#isCount(what) ? 'count' : undefined
    if (this.#isWrite(what)) return 'write'
    if (!READING.test(what) || !this.#key.test(what) || / \S+_shard_map /.test(what)) return undefined
    if (this.#names(what)) return 'reading'
    return this.#readers.has(who) ? 'miss' : undefined
  }

  /** Whether the violation names what this process saw. */
  isReader(who: string): boolean {
    return this.#readers.has(who)
  }

  /** Where the item is named, for a line that is too long. */
  get pattern(): RegExp | undefined {
    return this.#parts.at(-1)
  }

  /** Of what was read, the item itself: a page has others too. */
  ownPart(what: string): string {
    const [request = '', answer = ''] = what.split(' -> ')
    const items = itemsIn(answer)
    if (items.length === 0) return what
    const own = items.filter((item) => this.#names(item))
    return `${request} -> ${own.length === 0 ? 'ok, and not that' : `ok, ${own.join(', ')}`}`
  }

  #isWrite(what: string): boolean {
    return WRITE.test(what) && this.#names(what)
  }

  /** In one item, or key: a page, a batch and a transaction have others. */
  #names(text: string): boolean {
    if (!this.#areNamed(text)) return false
    return this.#isOfKey || itemsIn(text).some((item) => this.#areNamed(item))
  }

  #areNamed(text: string): boolean {
    return this.#parts.every((part) => part.test(text))
  }

  #isCount(what: string): boolean {
    const [, table = '', key = ''] = COUNT.exec(what) ?? []
    return this.#key.test(key) && this.#isWritten(table)
  }

  /** Others have keys of the same name. */
  #isWritten(table: string): boolean {
    const pattern = wordPattern(table)
    const isWritten =
      this.#tables.get(table) ??
      (this.#writes.length === 0 || this.#writes.some(({ what }) => pattern.test(what)))
    this.#tables.set(table, isWritten)
    return isWritten
  }
}

/** Items and keys as a trace writes them: those without anything in them, and those with sets and maps, but no lists of items. */
function itemsIn(text: string): readonly string[] {
  const flat = text.match(/\{[^{}]*\}/g) ?? []
  const nested = text.match(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)+\}/g) ?? []
  return [...flat, ...nested.filter((each) => !each.includes('},{'))]
}

/** A whole word, perhaps with the number of a shard behind it, or the zeros before it that a number has as a sort key. */
function wordPattern(part: string): RegExp {
  const text = part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  return new RegExp(`(?<![A-Za-z0-9])0*${text}(?![A-Za-z0-9])`)
}
