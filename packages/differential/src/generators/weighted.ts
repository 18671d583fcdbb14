import fc, { type Arbitrary } from 'fast-check'

/** One of several, each with how often it comes, in relation to the others. */
export function weighted<T>(...choices: readonly (readonly [number, Arbitrary<T>])[]): Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

/** A member that is there so often in a hundred. */
export function sometimes<T>(percent: number, arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return weighted<T | undefined>([percent, arbitrary], [100 - percent, fc.constant(undefined)])
}

/** An object without the members that are undefined: JSON has none. */
export function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
