/** Digits of a sequence number. The API allows 21 to 40. */
const DIGITS = 21

/** Numbers that one millisecond has room for. */
const NUMBERS_PER_MILLISECOND = 100_000_000n

/** A place in the order of a stream: decimal digits of equal length, so that their order as texts is their order. */
export type SequenceNumber = string

/** The first sequence number of a moment, in milliseconds since the epoch. */
export function sequenceNumberAt(milliseconds: number): SequenceNumber {
  return print(BigInt(Math.max(0, Math.floor(milliseconds))) * NUMBERS_PER_MILLISECOND)
}

/** Sequence numbers that rise, whatever the clock does: no two are equal and none goes back. */
export class SequenceNumbers {
  #last: bigint

  /** @param last the number after which to begin. */
  constructor(last: SequenceNumber = sequenceNumberAt(0)) {
    this.#last = BigInt(last)
  }

  next(now: number): SequenceNumber {
    const fromTime = BigInt(Math.floor(now)) * NUMBERS_PER_MILLISECOND
    this.#last = fromTime > this.#last ? fromTime : this.#last + 1n
    return print(this.#last)
  }
}

function print(number: bigint): SequenceNumber {
  return String(number).padStart(DIGITS, '0')
}

/** A number as it is printed here, however many zeros it came with. */
export function canonicalNumber(number: SequenceNumber): SequenceNumber {
  return print(BigInt(number))
}

/** The number just before. */
export function previousNumber(number: SequenceNumber): SequenceNumber {
  return print(BigInt(number) - 1n)
}
