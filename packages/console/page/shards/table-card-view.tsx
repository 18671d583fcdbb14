import type { TableCard } from '../../src/api/shards'
import { Facts } from '../definition/facts'
import { dayTime, figure } from '../format/figures'

/** The order in which people ask for the options. Others follow. */
const KNOWN: Readonly<Record<string, string>> = {
  partitionKey: 'Partition key',
  sortKey: 'Sort key',
  suffix: 'Suffix',
  delimiter: 'Delimiter',
  adopt: 'Adopts existing keys',
  shards: 'Shard counts',
}

const WORDS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' }

/** The options with which a table is written, as its shard map has them. */
export function TableCardView({ card }: { readonly card: TableCard }) {
  return (
    <section class="card" aria-labelledby="card-title">
      <h3 id="card-title">Table card</h3>
      {card.isRebuilding && (
        <p class="failure" role="alert">
          The shard map is being rebuilt. Do not rely on its content until that is complete.
        </p>
      )}
      <Facts of={factsOf(card)} />
    </section>
  )
}

function factsOf(card: TableCard): readonly (readonly [string, string])[] {
  const { settings, initial, migratingTo, listed, version, made, isRebuilt } = card
  const names = [...Object.keys(KNOWN), ...Object.keys(settings).filter((name) => !(name in KNOWN))]
  const options = names.flatMap((name) => {
    const value = settings[name]
    return value === undefined ? [] : [[KNOWN[name] ?? name, WORDS[value] ?? value] as const]
  })
  const shards = `${initial} ${initial === 1 ? 'shard' : 'shards'}`
  return [
    ...options,
    [
      'Keys without a count of their own',
      migratingTo === undefined ? shards : `${shards}, on the way to ${migratingTo}`,
    ],
    ['Keys listed with a count of their own', listed === 'all' ? 'all: the list is full' : figure(listed)],
    ['Version', figure(version)],
    ...(made === undefined
      ? []
      : [['Created', `${dayTime(made)}${isRebuilt ? ', by a rebuild' : ''}`] as const]),
  ]
}
