import { invalidOption } from '../../options/check.js'
import type { CallerAction } from '../caller-actions.js'

/**
 * The writes that a handler returned.
 *
 * @throws IsothermError `options.invalid` for anything but a list or nothing, because it may be writes that would be lost
 */
export function writesOf(returned: unknown): readonly CallerAction[] {
  if (returned === undefined || returned === null) return []
  if (Array.isArray(returned) && returned.every((one) => typeof one === 'object' && one !== null))
    return returned
  // Its kind alone: the reason of a dead letter is no place for the data of an answer.
  const kind = Array.isArray(returned)
    ? 'a list with other members'
    : Object.prototype.toString.call(returned)
  throw invalidOption('queue.work: the result of the handler', kind, 'a list of writes, or nothing')
}
