import { type Shape, unitsOf } from './shape.js'

/** What happened in each second of a run. Units are write units of the application's own writes. */
export interface Seconds {
  readonly offeredUnits: number[]
  readonly acceptedUnits: number[]
  readonly lostUnits: number[]
  readonly firstAttempts: number[]
  readonly firstThrottled: number[]
}

interface Call {
  readonly at: number
  isFirstKnown: boolean
}

/** The attribute by which a request to the service is recognised as part of a call. */
export const CALL = 'call'

/** The placeholder by which a read is recognised: it asks for an attribute that is called like the call. */
export const CALL_NAME = '#call'

/** Its placeholder in updates. */
export const CALL_VALUE = ':call'

/** Follows each write of the application, from the call through its first attempt to its end. */
export class Calls {
  readonly seconds: Seconds
  readonly #units: number
  readonly #calls = new Map<string, Call>()
  readonly #from: number
  #next = 0

  constructor(shape: Shape, from: number) {
    const zeros = () => new Array<number>(shape.seconds).fill(0)
    this.seconds = {
      offeredUnits: zeros(),
      acceptedUnits: zeros(),
      lostUnits: zeros(),
      firstAttempts: zeros(),
      firstThrottled: zeros(),
    }
    this.#units = unitsOf(shape)
    this.#from = from
  }

  /** @returns the value for the item's attribute `call` */
  begin(now: number): string {
    const id = String(this.#next++)
    this.#calls.set(id, { at: now, isFirstKnown: false })
    this.#add('offeredUnits', now, this.#units)
    return id
  }

  /** The service answered a request. */
  answered(input: object, isThrottled: boolean): void {
    const id = callOf(input)
    const call = id === undefined ? undefined : this.#calls.get(id)
    if (call === undefined || call.isFirstKnown) return
    call.isFirstKnown = true
    this.#add('firstAttempts', call.at, 1)
    if (isThrottled) this.#add('firstThrottled', call.at, 1)
  }

  end(id: string, isAccepted: boolean, now: number): void {
    this.#calls.delete(id)
    this.#add(isAccepted ? 'acceptedUnits' : 'lostUnits', now, this.#units)
  }

  #add(series: keyof Seconds, now: number, amount: number): void {
    const second = Math.floor((now - this.#from) / 1_000)
    const values = this.seconds[series]
    if (second < values.length) values[second] = (values[second] ?? 0) + amount
  }
}

interface Write {
  readonly ExpressionAttributeNames?: { readonly [CALL_NAME]?: string }
  readonly ProjectionExpression?: string
  readonly RequestItems?: Readonly<Record<string, Write>>
  readonly Item?: { readonly [CALL]?: { readonly S?: string } }
  readonly ExpressionAttributeValues?: { readonly [CALL_VALUE]?: { readonly S?: string } }
  readonly TransactItems?: readonly { readonly Put?: Write; readonly Update?: Write }[]
}

/** The call that a request belongs to, also one inside a transaction of the library's own. */
function callOf(input: Write): string | undefined {
  const [asked] = Object.values(input.RequestItems ?? {})
  if (asked !== undefined) return callOf(asked)
  if (input.ProjectionExpression !== undefined) return input.ExpressionAttributeNames?.[CALL_NAME]
  if (input.TransactItems === undefined) {
    return input.Item?.[CALL]?.S ?? input.ExpressionAttributeValues?.[CALL_VALUE]?.S
  }
  for (const { Put, Update } of input.TransactItems) {
    const write = Put ?? Update
    const id = write === undefined ? undefined : callOf(write)
    if (id !== undefined) return id
  }
  return undefined
}
