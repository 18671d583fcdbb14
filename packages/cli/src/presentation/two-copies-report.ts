import type { IsothermEvent } from 'isotherm'
import { printable } from '../terminal.js'
import { grouped } from './figures.js'

type TwoCopies = Extract<IsothermEvent, { readonly type: 'two-copies' }>

/** A change beyond its bounds can leave thousands. Those that are listed are enough to see what happened to them. */
const MAX_LISTED = 20

/** Collects the items of which a command leaves two copies: its user has no other place where the events are. */
export class TwoCopiesReport {
  readonly #listed: TwoCopies[] = []
  #found = 0

  readonly onEvent = (event: IsothermEvent): void => {
    if (event.type !== 'two-copies' || event.sourceCopy !== 'kept') return
    this.#found++
    if (this.#listed.length < MAX_LISTED) this.#listed.push(event)
  }

  /** @returns `undefined` if there are none */
  text(): string | undefined {
    if (this.#found === 0) return undefined
    const rest = this.#found - this.#listed.length
    return [
      'Items that exist in two shards:',
      ...this.#listed.map(
        ({ logicalKey, sortKey, source, target }) =>
          `  ${keyText(logicalKey)}, sort key ${sortKeyText(sortKey)}: shard ${target} has the copy that counts, and shard ${source} the other`,
      ),
      ...(rest === 0 ? [] : [`  and ${grouped(rest)} more`]),
      'Copy what is missing to the copy that counts. Then run the command again with --discard, which deletes the other.',
    ].join('\n')
  }
}

function keyText(key: string | Uint8Array): string {
  return typeof key === 'string' ? `"${printable(key)}"` : base64(key)
}

function sortKeyText(sortKey: TwoCopies['sortKey']): string {
  if (sortKey === undefined) return 'none'
  if ('S' in sortKey) return `"${printable(sortKey.S)}"`
  return 'N' in sortKey ? sortKey.N : base64(sortKey.B)
}

function base64(bytes: Uint8Array): string {
  return `${Buffer.from(bytes).toString('base64')} (base64)`
}
