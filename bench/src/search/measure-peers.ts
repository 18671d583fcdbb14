import { SystemClock } from '@isotherm/runtime'
import { contactRows } from './contact-rows.js'
import { LENGTHS } from './measure-queries.js'
import type { Peer } from './peer.js'
import { miniSearchPeer } from './peer-minisearch.js'
import { sqlitePeer } from './peer-sqlite.js'
import { percentile } from './percentile.js'
import type { SearchedTexts } from './searched-texts.js'

const wallClock = new SystemClock()

export interface PeerFigures {
  readonly name: string
  readonly loadSeconds: number
  readonly indexBytes: number
  readonly memoryBytes: number
  /** Of queries of 2, 3 and 5 characters. */
  readonly milliseconds: readonly { readonly p50: number; readonly p99: number }[]
}

const QUERIES = 100

/** The same queries, asked of what a team would take in the place of DynamoDB. */
export async function measurePeers(count: number, texts: SearchedTexts): Promise<readonly PeerFigures[]> {
  const makers = [() => sqlitePeer(contactRows(count)), async () => miniSearchPeer(contactRows(count))]
  const found: PeerFigures[] = []
  for (const make of makers) {
    const peer = await make()
    found.push(await measure(peer, texts))
    peer.close()
  }
  return found
}

async function measure(peer: Peer, texts: SearchedTexts): Promise<PeerFigures> {
  const milliseconds: { p50: number; p99: number }[] = []
  for (const length of LENGTHS) {
    const times: number[] = []
    for (const query of texts.queries(QUERIES, 'substring', length)) {
      const began = wallClock.now()
      const hits = await peer.search(query)
      times.push(wallClock.now() - began)
      const expected = texts.newest(query, 100)
      if (length > 2 && hits.join() !== expected.join())
        throw new Error(
          `${peer.name} found ${hits.length} contacts by ${query.text}, and ${expected.length} are there.`,
        )
    }
    milliseconds.push({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) })
  }
  const { name, loadSeconds, indexBytes, memoryBytes } = peer
  return { name, loadSeconds, indexBytes, memoryBytes, milliseconds }
}
