import type { EncodedKey } from '../../keyspace/encoded-key.js'
import type { RowChanges } from './database.js'
import { encodeLink, type KeyLayers, type Layer, type Link, rowKey } from './key-layers.js'

/**
 * The rows that one commit changes. The plan is made after the previous commit is durable, so everything it reads from
 * the database is still true when it is committed.
 */
export class RowPlan {
  readonly #layers: KeyLayers
  readonly #newLayer: () => Layer
  readonly #rows = new Map<string, Buffer | undefined>()
  readonly #links = new Map<string, Link>()

  constructor(layers: KeyLayers, newLayer: () => Layer) {
    this.#layers = layers
    this.#newLayer = newLayer
  }

  /** Sets one row, without layers. `undefined` removes it. */
  row(key: string, value: Buffer | undefined): void {
    this.#rows.set(key, value)
  }

  /** Sets a key of any length. `undefined` removes it. Call it at most once for each key. */
  key(root: Layer, key: EncodedKey, value: Buffer | undefined, existed: boolean): void {
    const exists = value !== undefined
    if (!exists && !existed) return
    const added = Number(exists) - Number(existed)
    let layer = root
    let rest: string = key
    while (this.#layers.isLong(rest)) {
      const linkKey = this.#layers.linkKey(layer, rest)
      const link = this.#link(linkKey)
      this.#links.set(linkKey, { layer: link.layer, keys: link.keys + added })
      layer = link.layer
      rest = this.#layers.rest(rest)
    }
    this.#rows.set(rowKey(layer, rest), value)
  }

  /** A link without keys is removed, because its layer is empty. */
  rows(): RowChanges {
    for (const [key, link] of this.#links) {
      this.#rows.set(key, link.keys === 0 ? undefined : encodeLink(link))
    }
    return this.#rows
  }

  #link(key: string): Link {
    return this.#links.get(key) ?? this.#layers.link(key) ?? { layer: this.#newLayer(), keys: 0 }
  }
}
