/** @type {(text: string, link: string) => { text: string, link: string }} */
const page = (text, link) => ({ text, link })

/** @typedef {{ text: string, collapsed?: boolean, items: readonly { text: string, link: string }[] }} Part */

/** @type {readonly Part[]} */
const ENGLISH = [
  {
    text: 'Start',
    items: [
      page('Quick start', '/quick-start'),
      page('My table is hot, what now', '/hot-table'),
      page('When not to use it', '/when-not'),
      page('Alternatives compared', '/alternatives'),
      page('FAQ', '/faq'),
    ],
  },
  {
    text: 'Shard a table',
    items: [
      page('The library', '/sharding'),
      page('Choose a suffix and a count', '/choosing'),
      page('Shard an existing application', '/adopting'),
      page('Migrate from a hand-written suffix', '/hand-written-suffix'),
      page('Read back in order', '/queries'),
      page('Calculated keys: items, batches, transactions', '/items'),
      page('Sharded indexes', '/sharding-indexes'),
      page('How a count grows and falls', '/shard-counts'),
      page('The shard map', '/shard-map'),
      page('Object mappers', '/object-mappers'),
      page('Take it out again', '/taking-it-out'),
    ],
  },
  {
    text: 'Table patterns',
    items: [
      page('Which pattern?', '/patterns'),
      page('Counters', '/counter'),
      page('Pools', '/pool'),
      page('Queues', '/queue'),
      page('Search', '/search'),
      page('Large items', '/large'),
      page('A table a month', '/rotation'),
      page('Examples', '/examples'),
    ],
  },
  {
    text: 'Find, size and check',
    items: [
      page('Find hot keys', '/hot'),
      page('Size a table', '/plan'),
      page('Check table definitions', '/lint'),
      page('The console', '/console'),
      page('Patterns on the heat map', '/heat-map-patterns'),
    ],
  },
  {
    text: 'The local engine',
    items: [
      page('Start it', '/local-engine'),
      page('In your tests', '/testing'),
      page('In CI', '/ci'),
      page('Clients', '/clients'),
      page('Rehearse a spike', '/rehearsal'),
      page('Record and replay traffic', '/replay'),
      page('Metrics', '/metrics'),
      page('In detail', '/engine-details'),
      page('What is supported', '/support'),
    ],
  },
  {
    text: 'Production',
    items: [
      page('Permissions, alarms and runbook', '/production'),
      page('Change the options of a table', '/changing-options'),
      page('AWS Lambda', '/lambda'),
      page('Bundling', '/bundling'),
      page('The proxy', '/proxy'),
      page('Other engines', '/other-engines'),
      page('Observability', '/observability'),
      page('Streams', '/streams'),
      page('Recovery', '/recovery'),
      page('A shared cache', '/second-level-cache'),
    ],
  },
  {
    text: 'Costs and limits',
    items: [
      page('Costs and prices', '/costs'),
      page('Limits', '/limits'),
      page('What a query reads', '/read-amplification'),
      page('Processor time', '/processor-time'),
      page('Speed of the local engine', '/speed'),
      page('How fast a hot key heals', '/healing'),
    ],
  },
  {
    text: 'Promises',
    items: [
      page('What it promises', '/promises'),
      page('Guarantees', '/guarantees'),
      page('The simulator', '/simulation'),
      page('Every order of steps', '/protocol-model'),
      page('Scripts of interleavings', '/interleavings'),
      page('Compared with DynamoDB Local', '/differential'),
      page('Half an hour under load', '/soak'),
      page('Published behaviours', '/behaviours'),
      page('Observations of the service', '/service-facts'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('API', '/reference/'),
      page('Errors', '/errors'),
      page('Troubleshooting', '/troubleshooting'),
      page('What a wrong option says', '/wrong-options'),
      page('Versions', '/versions'),
      page('The stored format', '/format'),
      page('Changelog', '/changelog'),
      page('Security', '/security'),
    ],
  },
  {
    text: 'Internals',
    collapsed: true,
    items: [
      page('Architecture', '/architecture'),
      page('How a shard count changes', '/internals/protocol'),
      page('How counts are measured', '/internals/shard-counts'),
      page('How a query reads its shards', '/internals/queries'),
      page('Bugs that the simulator found', '/internals/bugs-found'),
      page('Planted bugs', '/mutation-testing'),
      page('The hot file', '/hot-file'),
      page('Contributing', '/contributing'),
    ],
  },
]

/** @type {readonly Part[]} */
const JAPANESE = [
  {
    text: 'はじめに',
    items: [
      page('Isotherm とは', '/ja/'),
      page('クイックスタート', '/ja/quick-start'),
      page('テーブルがホットになったら', '/ja/hot-table'),
    ],
  },
  {
    text: 'ガイド',
    items: [
      page('テーブルをシャーディングする', '/ja/sharding'),
      page('サフィックスとシャード数の選び方', '/ja/choosing'),
      page('既存のテーブルへの導入', '/ja/adopting'),
      page('ローカルエンジンを使ったテスト', '/ja/testing'),
    ],
  },
]

/** Pages of these folders are listed by the pages that lead to them. */
export const LISTED_ELSEWHERE = ['lint/', 'decisions/']

/** The navigation of the site, by language. */
export const navigation = { english: ENGLISH, japanese: JAPANESE }
