import { type ComparableError, isError } from './comparable.js'
import type { Difference } from './exception.js'

/** A part of an exception: a condition on one or both sides. */
export type Predicate = (difference: Difference) => boolean

/** Patterns for the messages of our error and theirs. */
export function texts(ours: RegExp, theirs: RegExp): Predicate {
  return (difference) =>
    isError(difference.ours) &&
    isError(difference.theirs) &&
    ours.test(difference.ours.message) &&
    theirs.test(difference.theirs.message)
}

/** We refuse with such a message a request that they accept. */
export function onlyWeRefuse(ours: RegExp): Predicate {
  return all(weRefuse(ours), ({ theirs }) => !isError(theirs))
}

/** We refuse with such a message. */
function weRefuse(ours: RegExp): Predicate {
  return ({ ours: answer }) => isError(answer) && ours.test(answer.message)
}

/** They refuse with such a message a request that we accept. */
export function onlyTheyRefuse(theirs: RegExp): Predicate {
  return ({ ours, theirs: answer }) => isError(answer) && theirs.test(answer.message) && !isError(ours)
}

/** Both refuse, and the errors are equal after `normal` has removed a part. */
export function equalErrorsBut(normal: (error: ComparableError) => unknown): Predicate {
  return ({ ours, theirs }) => isError(ours) && isError(theirs) && same(normal(ours), normal(theirs))
}

export function operationIs(...operations: readonly string[]): Predicate {
  return ({ step }) => operations.includes(step.operation)
}

export function all(...predicates: readonly Predicate[]): Predicate {
  return (difference) => predicates.every((predicate) => predicate(difference))
}

export function any(...predicates: readonly Predicate[]): Predicate {
  return (difference) => predicates.some((predicate) => predicate(difference))
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
