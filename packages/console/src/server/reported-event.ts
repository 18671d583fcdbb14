import type { IncomingMessage } from 'node:http'
import type { ScaledEvent } from '../api/heat-map.js'
import { ConsoleError } from './console-error.js'
import { ownBody, requireMethod } from './own-request.js'
import { shownValue } from './shown-value.js'

const EXAMPLE = { at: 0, table: 'orders', key: '/sale', from: 1, to: 4, reason: 'hot', by: 'worker 7' }
const REASONS = ['hot', 'quiet', 'set', 'announced']
/** The highest count of the stored format. */
const MAX_SHARDS = 1_000
/** What a key has at most, in base64. */
const MAX_TEXT = 4_096

/**
 * The change of a shard count that an application reports, as its library emitted it.
 * @throws ConsoleError `request.method`, `request.header`, `request.content-type`, `request.body` or `request.parameter`
 */
export async function reportedEvent(request: IncomingMessage): Promise<ScaledEvent> {
  requireMethod(request, ['POST'])
  const body = await ownBody(request, EXAMPLE)
  const text = (name: string) => {
    const value = body[name]
    if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT) return value
    throw refused(name, value, `a text of at most ${MAX_TEXT} characters`)
  }
  const number = (name: string, most: number) => {
    const value = body[name]
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
    throw refused(name, value, `a whole number up to ${most}`)
  }
  const reason = text('reason')
  if (!REASONS.includes(reason)) throw refused('reason', reason, `one of ${REASONS.join(', ')}`)
  return {
    type: 'scaled',
    at: number('at', Number.MAX_SAFE_INTEGER),
    table: text('table'),
    ...(body.index === undefined ? {} : { index: text('index') }),
    key: text('key'),
    from: number('from', MAX_SHARDS),
    to: number('to', MAX_SHARDS),
    reason,
    by: text('by'),
  }
}

function refused(name: string, value: unknown, rule: string): ConsoleError {
  const message = `The member ${name} is ${shownValue(value)}. Give ${rule}.`
  return new ConsoleError('request.parameter', 400, message)
}
