import type { IsothermEvent } from 'isotherm'

/** An event in the words of a script. */
export function eventText(event: IsothermEvent): string {
  switch (event.type) {
    case 'scaled':
    case 'announced':
      return `${event.type} ${event.from} to ${event.to}`
    case 'draining':
    case 'drained':
      return `${event.type} ${event.shards}`
    case 'settled':
    case 'shard-limit-reached':
      return `${event.type} ${event.shards}`
    case 'two-copies':
      return `two-copies ${event.source} and ${event.target} ${event.sourceCopy}`
    case 'failed':
      return `failed ${event.task}`
    default:
      return event.type
  }
}
