/** Characters of one text that count: keys and expressions are shorter, and what fills an item says nothing. */
const MAX_MIXED = 256

/** What happened in a world, in order: always as one number to compare two runs by, and as lines where somebody reads them. */
export class Trace {
  readonly #now: () => number
  readonly #startedAt: number
  readonly #keepsLines: boolean
  readonly lines: TraceLine[] = []
  #hash = 0x811c9dc5

  constructor(now: () => number, keepsLines: boolean) {
    this.#now = now
    this.#startedAt = now()
    this.#keepsLines = keepsLines
  }

  /** A number that two runs have in common if the same was asked for in them, and as much of it done, at the same times. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0')
  }

  /** @param journey what became of it on its way, for a kept line: one that is not kept must have the same hash */
  executed(who: string, operation: string, input: object, outcome: string, journey = ''): void {
    // Not what came back: it is shown in a kept line only, and both kinds of run must have one hash.
    this.#mix(who, operation, outcome.startsWith('ok') ? 'ok' : outcome)
    this.#mixValue(input)
    if (!this.#keepsLines) return
    const note = journey === '' ? '' : ` (${journey})`
    this.#keep(who, `${operation} ${keysText(operation, input)} -> ${outcome}${note}`)
  }

  /** Whether lines are kept: what goes into them costs time. */
  get keepsLines(): boolean {
    return this.#keepsLines
  }

  /** Something else that is worth a line. */
  told(who: string, what: string): void {
    this.#mix(who, what, '')
    if (this.#keepsLines) this.#keep(who, what)
  }

  #keep(who: string, what: string): void {
    this.lines.push({ at: this.#now() - this.#startedAt, who, what })
  }

  #mix(who: string, what: string, outcome: string): void {
    this.#mixNumber(Math.round(this.#now() * 1_000) % 0x7fffffff)
    for (const text of [who, what, outcome]) this.#mixText(text)
  }

  #mixValue(value: unknown): void {
    if (typeof value === 'string') this.#mixText(value)
    else if (typeof value === 'number') this.#mixNumber(value)
    else if (typeof value !== 'object' || value === null) this.#mixText(String(value))
    else {
      const members = value as Readonly<Record<string, unknown>>
      for (const name of Object.keys(members)) {
        this.#mixText(name)
        this.#mixValue(members[name])
      }
    }
  }

  #mixText(text: string): void {
    const length = Math.min(text.length, MAX_MIXED)
    let hash = this.#hash
    for (let index = 0; index < length; index++) hash = mixed(hash, text.charCodeAt(index))
    // What comes first of two texts shall not be taken for the end of the other one.
    this.#hash = mixed(hash, text.length)
  }

  #mixNumber(value: number): void {
    this.#hash = mixed(this.#hash, value)
  }
}

function mixed(hash: number, value: number): number {
  return Math.imul(hash ^ value, 0x01000193)
}

export interface TraceLine {
  /** Milliseconds since the world began. */
  readonly at: number
  readonly who: string
  readonly what: string
}

type Input = Readonly<Record<string, unknown>>

/** The keys that a request is about, and its conditions: what a reader of a trace asks first. */
function keysText(operation: string, input: object): string {
  const request = input as Input
  if (operation === 'TransactWriteItems') {
    return (request.TransactItems as readonly Record<string, Input>[])
      .map((member) => Object.entries(member).map(([action, changed]) => `${action} ${itemText(changed)}`))
      .join('; ')
  }
  if (operation === 'BatchWriteItem' || operation === 'BatchGetItem') return shortened(request.RequestItems)
  if (operation === 'Query') {
    const parts = [shortened(request.ExpressionAttributeValues)]
    if (request.ExclusiveStartKey !== undefined) parts.push(`after ${shortened(request.ExclusiveStartKey)}`)
    if (request.ScanIndexForward === false) parts.push('backward')
    if (request.ConsistentRead === true) parts.push('consistent')
    return parts.join(' ')
  }
  return itemText(request)
}

function itemText({ TableName, Item, Key, ConditionExpression, UpdateExpression, ConsistentRead }: Input) {
  const parts = [TableName, shortened(Item ?? Key)]
  if (UpdateExpression !== undefined) parts.push(String(UpdateExpression))
  if (ConditionExpression !== undefined) parts.push(`if ${ConditionExpression}`)
  if (ConsistentRead === true) parts.push('consistent')
  return parts.join(' ')
}

/** What came back, as far as a reader of a trace wants to know. */
export function outcomeText(operation: string, { Items, Item, Count }: Input): string {
  if (operation === 'Query') return Items === undefined ? `ok, ${Count}` : `ok, ${shortened(Items)}`
  return operation === 'GetItem' ? `ok, ${shortened(Item) || 'nothing'}` : 'ok'
}

const MAX_TEXT = 4_000

function shortened(value: unknown): string {
  const text = JSON.stringify(value, (_name, member) => onlyValue(member)) ?? ''
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}...`
}

function onlyValue(member: unknown): unknown {
  if (typeof member !== 'object' || member === null) return member
  if ('S' in member) return member.S
  if ('N' in member && typeof member.N === 'string') return Number(member.N)
  return member
}
