/**
 * The floors of each package that has them, the highest first. Every folder with sources stands on one; `.` is the folder of the
 * entries. A folder imports from floors below its own alone: nothing above, and nothing beside it on the same floor.
 */
export const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'packages/isotherm': [
    ['.'],
    ['client'],
    // The operations.
    ['transactions'],
    ['batches', 'rebuilding', 'streams', 'unsharding'],
    ['adopting', 'indexes', 'writes'],
    ['queries', 'reads', 'scans'],
    // The control loop.
    ['scaling/migrating'],
    ['scaling'],
    ['scaling/coming-down'],
    ['scaling/sensing'],
    // How a count changes.
    ['protocol'],
    ['protocol/moves', 'protocol/second-level-cache'],
    ['protocol/placement'],
    ['protocol/shard-map'],
    ['protocol/table-card'],
    ['protocol/stored-state'],
    ['protocol/states'],
    // The table patterns, which stand on a client and the SDK's commands.
    ['patterns/search'],
    ['patterns/search/writing'],
    ['patterns/search/reading'],
    ['patterns/search/model'],
    ['patterns/search/text'],
    ['patterns/counter', 'patterns/pool', 'patterns/queue'],
    ['patterns'],
    // What sends to a shard.
    ['attempts'],
    // The seam to the SDK.
    ['sdk'],
    // The table patterns, which stand on a client and on nothing of the library's.
    ['patterns/large', 'patterns/rotation'],
    ['patterns/conditions', 'patterns/table-check'],
    ['patterns/object-store', 'patterns/sending', 'patterns/values'],
    // The leaves.
    ['keys'],
    ['options'],
    ['bounded', 'errors', 'events'],
  ],
  'packages/console': [
    ['.'],
    ['definitions', 'findings', 'server'],
    ['events', 'heat-map', 'items', 'remote', 'scenarios'],
    ['source', 'insights'],
    ['shard-map'],
    ['api'],
  ],
  'packages/proxy': [['.'], ['http'], ['gateway'], ['upstream'], ['config', 'metrics', 'wire'], ['errors']],
  'packages/advisor': [
    ['.'],
    ['rehearsal'],
    ['lint', 'plan'],
    ['lint/rules'],
    // What a finding is, for the rules and the list of them.
    ['lint/rule'],
    // What advice is about.
    ['heat', 'templates', 'traffic'],
    ['sample'],
    ['prices', 'sizing'],
    // The leaves.
    ['table'],
    ['errors', 'text'],
  ],
  'packages/local': [
    // What judges the engine.
    ['behaviour', 'fuzz', 'service-facts'],
    ['.'],
    ['replay'],
    ['trace'],
    // The ways in for requests.
    ['transport'],
    ['wire'],
    ['engine'],
    // The operations.
    ['cloudwatch', 'operations'],
    ['legacy', 'partiql', 'transfers'],
    ['validation'],
    // Tables, transactions and streams, and what hears of them.
    ['heat-history', 'metrics', 'transaction'],
    ['catalog', 'salvage'],
    ['table'],
    ['stream'],
    ['policy'],
    // Partitions and their capacity.
    ['capacity'],
    ['partition'],
    // Storage.
    ['storage/lmdb'],
    ['storage/lmdb/pages'],
    ['buckets', 'storage'],
    ['keyspace'],
    // The leaves.
    ['json'],
    ['options'],
    ['errors', 'timers'],
  ],
}
