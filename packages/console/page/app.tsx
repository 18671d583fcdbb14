import type { ComponentChildren } from 'preact'
import { AdviceView } from './advice/advice-view'
import { CreateView } from './create/create-view'
import { DefinitionView } from './definition/definition-view'
import { FindingList } from './findings/finding-list'
import { dayTime } from './format/figures'
import { ItemsView } from './items/items-view'
import { ProcessKeys } from './keys/process-keys'
import { TopKeys } from './keys/top-keys'
import type { ShownMap } from './map/grid'
import { HeatMapView } from './map/heat-map-view'
import { Legend } from './map/legend'
import { PartitionsView } from './partitions/partitions-view'
import { scenarios } from './scenarios/scenario-state'
import { ScenariosView } from './scenarios/scenarios-view'
import { ShardMapView } from './shards/shard-map-view'
import { connection, failure, isOld, map, outage, tables } from './state/data'
import { switchTheme, theme } from './state/theme'
import { show, showsMap, type Tab, view } from './state/view'
import { Waiting } from './state/waiting'
import { AllTables } from './tables/all-tables'
import { TableList } from './tables/table-list'
import { ThrottlingView } from './throttling/throttling-view'
import { Toolbar } from './toolbar'

export function App() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the view
      </a>
      <header>
        <img src="icon.svg" alt="" width="28" height="28" />
        <h1>Isotherm</h1>
        <ConnectionState />
        <button
          type="button"
          aria-pressed={view.value.redacted}
          onClick={() => show({ redacted: !view.value.redacted })}
        >
          Hide key values
        </button>
        <button type="button" class="theme" onClick={switchTheme}>
          {theme.value === 'dark' ? 'Light' : 'Dark'}
        </button>
      </header>
      <div class="columns">
        <TableList />
        <main id="main" class={isOld.value ? 'old' : ''} tabIndex={-1}>
          <OutageNotice />
          <Main />
        </main>
      </div>
    </>
  )
}

function ConnectionState() {
  const states = {
    connecting: 'Connecting …',
    live: 'Live',
    lost: 'Disconnected. The figures are from before. Reconnecting …',
  }
  const isLive = connection.value === 'live'
  return (
    <p class={`connection ${isLive && isOld.value ? 'lost' : connection.value}`} role="status">
      {isLive && isOld.value ? 'No answer' : states[connection.value]}
    </p>
  )
}

/** The endpoint behind the server does not answer. Its name may be long, so this is in the view and not in the header. */
function OutageNotice() {
  if (outage.value === undefined || connection.value === 'lost') return null
  const { endpoint, since } = outage.value
  return (
    <p class="failure" role="alert">
      {endpoint} has not answered since {dayTime(since, true)}. The figures are from before. Trying again …
    </p>
  )
}

function Main() {
  const { table, index, tab } = view.value
  const of = map.value
  // The other views ask for themselves, and say themselves why they have nothing.
  const isMap = showsMap(tab)
  if (tab === 'scenarios') return <ScenarioTab />
  if (tab === 'tables') return <Titled title="All tables" of={<AllTables />} />
  if (tab === 'create') return <Titled title="New table" of={<CreateView />} />
  if (table === '') return <Empty />
  return (
    <>
      <h2 class="title">
        {table}
        {index !== '' && <span> / {index}</span>}
      </h2>
      <Tabs />
      {isMap && failure.value !== undefined && (
        <p class="failure" role="alert">
          {failure.value}
        </p>
      )}
      {tab === 'partitions' && <PartitionsView />}
      {tab === 'shards' && <ShardMapView />}
      {tab === 'items' && <ItemsView />}
      {tab === 'definition' && <DefinitionView />}
      {tab === 'advice' && <AdviceView />}
      {isMap && <Toolbar />}
      {isMap && of === undefined && failure.value === undefined && <Waiting />}
      {tab === 'throttling' && of !== undefined && <ThrottlingView of={of} />}
      {tab === 'heat' && of !== undefined && <HeatTab of={of} />}
    </>
  )
}

/** A view that is about no table. */
function Titled({ title, of }: { readonly title: string; readonly of: ComponentChildren }) {
  return (
    <>
      <h2 class="title">{title}</h2>
      {of}
    </>
  )
}

/** Scenarios are about no table. The tabs are those of the table that was looked at. */
function ScenarioTab() {
  return (
    <>
      <h2 class="title">Scenarios</h2>
      <Tabs />
      <ScenariosView />
    </>
  )
}

const NO_TRAFFIC = {
  engine: 'The map begins with the next request to this table.',
  published: 'CloudWatch publishes each minute one to three minutes after it ends.',
} as const

/** Whether the figures are those that an endpoint publishes, by the minute. */
function isPublished(): boolean {
  return tables.value?.offers !== undefined
}

/** How late figures are, and which are missing. */
function Notes({ texts }: { readonly texts: readonly string[] }) {
  return (
    <ul class="notes" aria-label="About these figures">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

function HeatTab({ of }: { readonly of: ShownMap }) {
  return (
    <>
      {of.rows.length === 0 ? (
        <p class="hint large">
          No traffic in this span. {NO_TRAFFIC[isPublished() ? 'published' : 'engine']}
        </p>
      ) : (
        !isPublished() && <FindingList of={of} />
      )}
      {of.notes !== undefined && <Notes texts={of.notes} />}
      <Legend />
      <HeatMapView of={of} />
      {/* Averages of minutes say neither that a partition was full nor how many shards a key needs. */}
      {!isPublished() && of.rows.length > 0 && <TopKeys of={of} />}
      {tables.value?.offers?.process !== undefined && <ProcessKeys limit={of.limit} />}
    </>
  )
}

const VIEWS: readonly (readonly [Tab, string])[] = [
  ['heat', 'Heat'],
  ['throttling', 'Throttling'],
  ['partitions', 'Partitions'],
  ['shards', 'Shards'],
  ['items', 'Items'],
  ['definition', 'Definition'],
  ['advice', 'Advice'],
  ['scenarios', 'Scenarios'],
]

function Tabs() {
  return (
    <nav class="tabs" aria-label="Views of the table">
      {VIEWS.filter(([tab]) => isThere(tab)).map(([tab, text]) => (
        <button
          key={tab}
          type="button"
          aria-current={view.value.tab === tab ? 'page' : undefined}
          onClick={() => show({ tab }, true)}
        >
          {text}
        </button>
      ))}
    </nav>
  )
}

function isThere(tab: Tab): boolean {
  return tab !== 'scenarios' || scenarios.value.length > 0 || view.value.tab === 'scenarios'
}

function Empty() {
  const endpoint = location.origin
  if (tables.value === undefined) {
    return failure.value === undefined ? (
      <p class="hint large">
        {connection.value === 'lost'
          ? `${endpoint} does not answer. Trying again.`
          : `Connecting to ${endpoint} …`}
      </p>
    ) : (
      <p class="failure" role="alert">
        {failure.value}
      </p>
    )
  }
  if (tables.value.offers !== undefined) {
    return (
      <div class="hint large">
        <p>{tables.value.offers.endpoint} has no table for these credentials and this region.</p>
        <p>
          DynamoDB Local keeps separate tables for each access key and region, unless it is started with{' '}
          <code>-sharedDb</code>. Choose them with <code>--profile</code> and <code>--region</code>.
        </p>
      </div>
    )
  }
  return (
    <div class="hint large">
      <p>
        There is no table yet. Point an application at this endpoint, or create one:{' '}
        <button type="button" onClick={() => show({ tab: 'create' }, true)}>
          New table
        </button>
      </p>
      <pre>
        aws dynamodb create-table --endpoint-url {endpoint} --table-name orders --billing-mode PAY_PER_REQUEST
        --attribute-definitions AttributeName=customer,AttributeType=S --key-schema
        AttributeName=customer,KeyType=HASH
      </pre>
      {scenarios.value.length > 0 && (
        <p>
          Or see one become hot:{' '}
          <button type="button" class="primary" onClick={() => show({ tab: 'scenarios' }, true)}>
            Run a scenario
          </button>
        </p>
      )}
    </div>
  )
}
