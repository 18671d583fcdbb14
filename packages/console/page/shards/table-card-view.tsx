import type { TableCard } from '../../src/api/shards'
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
  const { settings, initial, migratingTo, listed, version, made, isRebuilt, isRebuilding } = card
  const names = [...Object.keys(KNOWN), ...Object.keys(settings).filter((name) => !(name in KNOWN))]
  return (
    <section class="card" aria-labelledby="card-title">
      <h3 id="card-title">Table card</h3>
      {isRebuilding && (
        <p class="failure" role="alert">
          The shard map is being rebuilt. Nothing of it may be used meanwhile.
        </p>
      )}
      <dl class="facts">
        {names.map((name) => {
          const value = settings[name]
          return value === undefined ? null : (
            <Fact key={name} name={KNOWN[name] ?? name} value={WORDS[value] ?? value} />
          )
        })}
        <Fact
          name="Keys without a count of their own"
          value={`${initial} ${initial === 1 ? 'shard' : 'shards'}${migratingTo === undefined ? '' : `, on the way to ${migratingTo}`}`}
        />
        <Fact
          name="Keys that may have one"
          value={listed === 'all' ? 'all: the list is full' : figure(listed)}
        />
        <Fact name="Version" value={figure(version)} />
        {made !== undefined && (
          <Fact name="Made" value={`${dayTime(made)}${isRebuilt ? ', by a rebuild' : ''}`} />
        )}
      </dl>
    </section>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
