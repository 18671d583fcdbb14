import fc, { type Arbitrary } from 'fast-check'

/** One of several choices, each with its frequency in relation to the others. */
export function weighted<T>(...choices: readonly (readonly [number, Arbitrary<T>])[]): Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

/** A member that is present in the given percentage of cases. */
export function sometimes<T>(percent: number, arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return weighted<T | undefined>([percent, arbitrary], [100 - percent, fc.constant(undefined)])
}

/** An object without its undefined members, which JSON does not have. */
export function present<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T
}
