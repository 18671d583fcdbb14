/**
 * A guarantee that another test of the project verifies, because the test must control the engine's time and
 * partitions.
 */
export interface HeldElsewhere {
  readonly sentence: string
  /** The test's file, relative to the project's root. */
  readonly file: string
  /** A part of the test's name, as it is written there. */
  readonly test: string
}

const LIBRARY = 'packages/isotherm/src'
const MAPPERS = 'comparisons/src/sharded'
const TRANSACTION = 'writes all of a transaction or nothing, and reads in one'

/** By subject, in the order of the document. */
export const HELD_ELSEWHERE: Readonly<Record<string, readonly HeldElsewhere[]>> = {
  'Hot keys': [
    {
      sentence:
        'A key grows by itself until it is throttled no more, and reads back exactly what was acknowledged.',
      file: `${LIBRARY}/client/isotherm-on-local.test.ts`,
      test: 'grows until it is throttled no more, and reads back exactly what was acknowledged',
    },
    {
      sentence:
        'A throttled append goes to another shard at once; one that may have been written stays on its own.',
      file: `${LIBRARY}/writes/append-item.test.ts`,
      test: 'stays on its shard, so that the item is never there twice',
    },
    {
      sentence:
        'If that shard has been given up meanwhile, also if it is back, the library does not write it again.',
      file: `${LIBRARY}/writes/unanswered-write.test.ts`,
      test: 'ends with the error of that attempt where its shard %s',
    },
    {
      sentence: 'A write that may have been done is not told of as refused.',
      file: `${LIBRARY}/writes/refused-afterwards.test.ts`,
      test: 'a %s that went without an answer is told of as such, and not as refused, because afterwards',
    },
    {
      sentence: 'Nor is it left out of a batch as unprocessed.',
      file: `${LIBRARY}/writes/unanswered-write.test.ts`,
      test: 'is not told of as refused, or it would be written again elsewhere',
    },
    {
      sentence: 'Nor is a batch told of as refused of which a part was written.',
      file: `${LIBRARY}/batches/throttled-shard-map.test.ts`,
      test: 'hands back what was not written, once a part of it was',
    },
    {
      sentence: 'A hot key takes nothing of the retry budget that all keys of a client share.',
      file: `${LIBRARY}/writes/append-item.test.ts`,
      test: 'costs no token of the retry budget that all keys of the client share',
    },
    {
      sentence: 'A hot key leaves the success and the latency of other keys as they are.',
      file: `${LIBRARY}/writes/hot-key.test.ts`,
      test: 'leaves the success and the latency of the other keys as they are without it',
    },
    {
      sentence:
        'Members of a batch that are left unprocessed go to other shards, and come back under logical keys.',
      file: `${LIBRARY}/batches/batch-write-item.test.ts`,
      test: 'hands back under its logical key what is left out at every attempt',
    },
    {
      sentence: 'Innocent neighbours on the partition of a hot key do not grow.',
      file: `${LIBRARY}/scaling/neighbours.test.ts`,
      test: 'the neighbours of a hot key on its partition',
    },
    {
      sentence: 'A table that is too small as a whole gets no shards.',
      file: `${LIBRARY}/scaling/scaling.test.ts`,
      test: 'the whole table is too small',
    },
    {
      sentence:
        'A fleet of fifty writers grows a key together, with few refused writes to the shard map, and does not overshoot.',
      file: `${LIBRARY}/scaling/fleet.test.ts`,
      test: 'grows a hot key together, without a crowd at the shard map',
    },
  ],
  'Quiet keys': [
    {
      sentence: 'A key that was hot loses its shards again.',
      file: `${LIBRARY}/scaling/fewer-shards.test.ts`,
      test: 'falls back to its initial count in halves, while it is used a little',
    },
    {
      sentence: 'Draining keeps to its rate, tells its progress, and is gone on with by any process.',
      file: `${LIBRARY}/scaling/fewer-shards.test.ts`,
      test: 'is drained no faster than it may be, with progress, and again by another process after an abort',
    },
    {
      sentence: 'Each item keeps one copy, whichever step the process dies at that changes the count.',
      file: `${LIBRARY}/scaling/count-change.test.ts`,
      test: 'keeps one copy of each item, whichever step its process dies at',
    },
    {
      sentence:
        'An item whose move was begun and left is read and moved, also where its shard is in use again.',
      file: `${LIBRARY}/scaling/marks-left-behind.test.ts`,
      test: 'is read while somebody moves it, after however many changes',
    },
    {
      sentence:
        'A process that is slow at moving items moves none that was written after another one has ended that.',
      file: `${LIBRARY}/scaling/two-drivers.test.ts`,
      test: 'is moved by no slower driver whose change the other one has claimed',
    },
    {
      sentence: 'A change of a count goes on at once when an answer of the shard map was lost.',
      file: `${LIBRARY}/scaling/lost-answer.test.ts`,
      test: 'goes on at once when a calculated key was to be %s',
    },
    {
      sentence: 'An item that is moved more than once while a page is read is shown once.',
      file: `${LIBRARY}/queries/moved-twice.test.ts`,
      test: 'where the page meets it in the first of them and in the last',
    },
    {
      sentence: 'So is one that is moved, and then replaced by a put.',
      file: `${LIBRARY}/queries/moved-twice.test.ts`,
      test: 'an item that is moved, and then replaced, while a page is read is shown once',
    },
    {
      sentence:
        'An item on its way is found by all that reads or writes it, also when its key has grown again.',
      file: `${LIBRARY}/reads/item-on-its-way.test.ts`,
      test: 'is updated in a transaction, and not created once more',
    },
  ],
  'Late requests': [
    {
      sentence: 'No request leaves on what the shard map said longer ago than it may be used.',
      file: `${LIBRARY}/writes/write-item.test.ts`,
      test: 'is decided anew where it was held up for longer than what it was decided on may be used',
    },
    {
      sentence: 'A read whose answer took too long is made again.',
      file: `${LIBRARY}/writes/write-item.test.ts`,
      test: 'is made again where its answer took so long that the item may have moved where nobody looked',
    },
    {
      sentence:
        'Beyond the bound two copies may come about: both are kept and told of, and nothing settles over them.',
      file: `${LIBRARY}/protocol/moves/two-copies.test.ts`,
      test: 'is kept twice, told of, and the change does not settle until people say so',
    },
    {
      sentence:
        'Of two copies of an item, a batch and a transaction take the one that a read and an update take.',
      file: `${LIBRARY}/batches/two-copies.test.ts`,
      test: 'is read in a batch as it is read alone, and as it was updated',
    },
  ],
  'What reading costs': [
    {
      sentence: 'The newest hundred of sixteen shards cost one and a half times what they need at most.',
      file: `${LIBRARY}/queries/read-amplification.test.ts`,
      test: 'times what they need or less',
    },
    {
      sentence: 'Eventually consistent queries are spread over read replicas, consistent ones are not.',
      file: `${LIBRARY}/queries/query-requests.test.ts`,
      test: 'asks the table alone where it is to be consistent',
    },
    {
      sentence: 'An aborted query ends at once, whatever it is waiting for.',
      file: `${LIBRARY}/queries/query-requests.test.ts`,
      test: 'ends at once %s',
    },
  ],
  'Sharded indexes while the count changes': [
    {
      sentence:
        'A sharded index has each item with the attribute once and in order, after every write of any process.',
      file: `${LIBRARY}/indexes/while-the-count-changes.property.test.ts`,
      test: 'has each item with the attribute once and in order, after every write of any process',
    },
    {
      sentence: 'A cursor of an index gives no item again that was moved since the page ended with it.',
      file: `${LIBRARY}/queries/cursor-while-moving.test.ts`,
      test: 'give each item once though the one that a page ended with is moved before the next',
    },
  ],
  'Keys of several attributes': [
    {
      sentence: 'An index may have the shard in an attribute of its own, where its key has several.',
      file: `${LIBRARY}/indexes/query-index.test.ts`,
      test: 'by_status_and_shard',
    },
  ],
  'Beside the requests': [
    {
      sentence: 'A consumer of the stream sees each item once, under its logical key, however it was moved.',
      file: `${LIBRARY}/streams/streams-on-local.test.ts`,
      test: 'a consumer of the stream sees each item once, under its logical key, though it was moved in between',
    },
    {
      sentence: 'A second-level cache makes no count older than it may be, and fails no request.',
      file: `${LIBRARY}/protocol/second-level-cache/second-level-cache.property.test.ts`,
      test: 'however clocks differ, no process goes by a count later than a lifetime after it was replaced',
    },
    {
      sentence: 'The hottest keys are told from a bounded sketch, with the bounds of its error.',
      file: `${LIBRARY}/scaling/sensing/key-heat.property.test.ts`,
      test: 'the true units of a key lie within the bounds that the sketch gives',
    },
    {
      sentence: 'A client of a few parts refuses what it was made without, and sends nothing.',
      file: `${LIBRARY}/client/parts/parts.test.ts`,
      test: 'refuses what takes the part %s by name, and sends nothing',
    },
    {
      sentence: 'Processes of a few parts lose nothing while others change the counts of their keys.',
      file: `${LIBRARY}/client/parts/beside-full-processes.test.ts`,
      test: 'lose nothing and read nothing twice while counts grow, shrink and drain',
    },
    {
      sentence: 'A bundle stays within its bound, and holds the SDK once.',
      file: 'tools/bundle.test.ts',
      test: 'gzipped, and imports of the SDK only the client',
    },
  ],
  'Object mappers, unchanged': [
    { sentence: 'ElectroDB.', file: `${MAPPERS}/electrodb-sharded.test.ts`, test: TRANSACTION },
    { sentence: 'DynamoDB-Toolbox.', file: `${MAPPERS}/dynamodb-toolbox-sharded.test.ts`, test: TRANSACTION },
    { sentence: 'OneTable.', file: `${MAPPERS}/onetable-sharded.test.ts`, test: TRANSACTION },
    { sentence: 'Dynamoose.', file: `${MAPPERS}/dynamoose-sharded.test.ts`, test: TRANSACTION },
  ],
}
