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
const INTERLEAVINGS = 'simulation/interleavings'
const MAPPERS = 'comparisons/src/sharded'
const TRANSACTION = 'writes all of a transaction or nothing, and reads in one'

/** By subject, in the order of the document. */
export const HELD_ELSEWHERE: Readonly<Record<string, readonly HeldElsewhere[]>> = {
  'Hot keys': [
    {
      sentence:
        'The shard count of a key grows automatically until it is no longer throttled, and exactly the acknowledged items are read back.',
      file: `${LIBRARY}/client/isotherm-on-local.test.ts`,
      test: 'grows until it is throttled no more, and reads back exactly what was acknowledged',
    },
    {
      sentence:
        'A throttled append is retried on another shard at once. An append that may have been written is retried on its own shard.',
      file: `${LIBRARY}/writes/append-item.test.ts`,
      test: 'stays on its shard, so that the item never exists twice',
    },
    {
      sentence:
        'If that shard was retired meanwhile, even if it is in use again, the library does not retry the append.',
      file: `${INTERLEAVINGS}/unanswered-write.txt`,
      test: 'it fails with the error of that attempt if its shard was retired, even if the shard is in use again',
    },
    {
      sentence: 'A write that may have succeeded is not reported as rejected.',
      file: `${INTERLEAVINGS}/refused-afterwards.txt`,
      test: 'a write that may have succeeded is not reported as rejected',
    },
    {
      sentence: 'Such a write is not returned as an unprocessed item of a batch either.',
      file: `${INTERLEAVINGS}/refused-afterwards.txt`,
      test: 'a member of a batch that may have been written is not returned as unprocessed',
    },
    {
      sentence: 'A partly written batch is not reported as rejected.',
      file: `${LIBRARY}/batches/throttled-shard-map.test.ts`,
      test: 'returns the members that were not written, once some were',
    },
    {
      sentence: 'A hot key does not use the retry budget that all keys of a client share.',
      file: `${LIBRARY}/writes/append-item.test.ts`,
      test: 'uses none of the retry budget that all keys of the client share',
    },
    {
      sentence: 'A hot key does not affect the success or the latency of other keys.',
      file: `${LIBRARY}/writes/hot-key.test.ts`,
      test: 'does not affect the success and the latency of the other keys',
    },
    {
      sentence:
        'Unprocessed members of a batch are retried on other shards, and returned under logical keys.',
      file: `${LIBRARY}/batches/batch-write-item.test.ts`,
      test: 'returns members under their logical keys that are unprocessed at every attempt',
    },
    {
      sentence: 'Other keys on the partition of a hot key get no additional shards.',
      file: `${LIBRARY}/scaling/neighbours.long.test.ts`,
      test: 'the neighbours of a hot key on its partition',
    },
    {
      sentence: 'A table whose own throughput is too low gets no additional shards.',
      file: `${LIBRARY}/scaling/scaling.test.ts`,
      test: 'the whole table is too small',
    },
    {
      sentence:
        'A fleet of fifty writers grows the shard count of a key with few rejected writes to the shard map, and without overshooting.',
      file: `${LIBRARY}/scaling/fleet.long.test.ts`,
      test: 'grows a hot key together, without a crowd at the shard map',
    },
  ],
  'Quiet keys': [
    {
      sentence: 'The shard count of a key falls again when the key is no longer hot.',
      file: `${LIBRARY}/scaling/fewer-shards.test.ts`,
      test: 'falls back to its initial count in quarters, while it is used a little',
    },
    {
      sentence: 'Draining respects its rate, reports its progress, and can be resumed by any process.',
      file: `${LIBRARY}/scaling/fewer-shards.test.ts`,
      test: 'is drained no faster than it may be, with progress, and again by another process after an abort',
    },
    {
      sentence: 'Each item keeps one copy, at whatever step the process dies that changes the shard count.',
      file: `${INTERLEAVINGS}/count-change.txt`,
      test: 'Each item keeps one copy, and every write counts once',
    },
    {
      sentence:
        'An item whose move was started and abandoned is still read, and moved, even if its shard is in use again.',
      file: `${INTERLEAVINGS}/marks-left-behind.txt`,
      test: 'the item is read while another process moves it, after many changes of the shard count',
    },
    {
      sentence:
        'A slow process does not move items that were written after another process completed the moves.',
      file: `${INTERLEAVINGS}/two-drivers.txt`,
      test: 'a slow driver moves nothing that was appended after another driver claimed its change',
    },
    {
      sentence: 'A change of a shard count continues at once after a lost response of the shard map.',
      file: `${INTERLEAVINGS}/lost-change.txt`,
      test: 'a change of a calculated key continues at once',
    },
    {
      sentence: 'An item that is moved more than once while a page is read is returned once.',
      file: `${INTERLEAVINGS}/moved-twice.txt`,
      test: 'the page reads the item in its first and its last place',
    },
    {
      sentence:
        'An item that is moved and then replaced by a put while a page is read is returned once, too.',
      file: `${INTERLEAVINGS}/moved-twice.txt`,
      test: 'the item is moved to its last place and then replaced there',
    },
    {
      sentence:
        'An item that is being moved is found by all reads and writes, even if its key has grown again.',
      file: `${INTERLEAVINGS}/item-on-its-way.txt`,
      test: 'the item is updated in a transaction, and not created once more',
    },
  ],
  'Options and the shard map over the years': [
    {
      sentence:
        'A process whose options differ from the card is refused before anything is sent to the table.',
      file: `${LIBRARY}/protocol/table-card/table-card.test.ts`,
      test: 'is refused before anything is sent to the table',
    },
    {
      sentence:
        'Of two processes with `dynamicShards` and different options that begin at the same time, one writes.',
      file: `${LIBRARY}/protocol/table-card/table-card.test.ts`,
      test: 'do not both write',
    },
    {
      sentence:
        'A process with fixedShards that could not find an item of the table is refused before its first write.',
      file: `${LIBRARY}/protocol/table-card/fixed-check.test.ts`,
      test: 'is refused by the items of a table without a card',
    },
    {
      sentence:
        'A process with fixedShards notices within five minutes that others with other options write beside it.',
      file: `${LIBRARY}/protocol/table-card/fixed-check.test.ts`,
      test: 'notices a deployment with',
    },
    {
      sentence:
        'The initial count of a table changes while processes with the old and the new count write and read it: no item is lost, doubled or hidden.',
      file: `${LIBRARY}/scaling/migrating/migrate.test.ts`,
      test: 'serves writers and readers meanwhile',
    },
    {
      sentence: 'The change can be ended at any step, and another process resumes it.',
      file: `${LIBRARY}/scaling/migrating/migrate.test.ts`,
      test: 'is resumed by another process after it was ended in %s',
    },
    {
      sentence:
        'A change of a key that was held up does not take effect after the initial count was changed.',
      file: `${LIBRARY}/scaling/migrating/migrate.test.ts`,
      test: 'refuses a change that was held',
    },
    {
      sentence:
        'A shard map that was emptied, restored or replaced is not used as if it were the one before.',
      file: `${LIBRARY}/protocol/table-card/card-origin.test.ts`,
      test: 'makes no other where the shard map was emptied',
    },
    {
      sentence: 'It can be rebuilt from the table, and old and new processes find every item.',
      file: `${LIBRARY}/client/rebuild-shard-map.test.ts`,
      test: 'is rebuilt: new and old processes find every item',
    },
    {
      sentence:
        'Without the shard map, random items are still stored, and reads use the last known counts for a limited time.',
      file: `${LIBRARY}/protocol/shard-map/shard-map-outage.test.ts`,
      test: 'lets new random items go to the first shard, whatever the count, and reports it once',
    },
    {
      sentence:
        'A consistent read fails while the shard map does not answer, rather than miss items that have moved.',
      file: `${LIBRARY}/transactions/consistent-reads-in-outage.test.ts`,
      test: '%s that is consistent fails while the shard map does not answer, rather than miss items that have moved',
    },
    {
      sentence: 'A copy of the table to a plain one misses no item that moves meanwhile.',
      file: `${LIBRARY}/client/unshard-table.test.ts`,
      test: 'has every item when a key is moved while it is scanned',
    },
    {
      sentence: 'A backfill of a sharded index misses no item that moves meanwhile.',
      file: `${LIBRARY}/client/backfill-indexes.test.ts`,
      test: 'adds items that are moved to another shard while the table is scanned',
    },
  ],
  'Table patterns': [
    {
      sentence: 'A counter counts each token once, also when answers are lost and while it is rolled up.',
      file: `${LIBRARY}/patterns/counter/counter.test.ts`,
      test: 'is exact with tokens while answers are lost and it is rolled up, and never less or more meanwhile',
    },
    {
      sentence: 'An item of a pool belongs to one claimer at a time.',
      file: `${LIBRARY}/patterns/pool/pool.test.ts`,
      test: 'gives each item to one claimer, however many claim, while answers are lost',
    },
    {
      sentence: 'The writes of a queued operation take effect once, whichever workers die.',
      file: `${LIBRARY}/patterns/queue/queue.test.ts`,
      test: 'does the writes of each operation once, while workers die and answers are lost',
    },
    {
      sentence: 'The operations of an entity are worked off in their order.',
      file: `${LIBRARY}/patterns/queue/queue.test.ts`,
      test: 'works the operations of an entity off in their order, through failures and deaths',
    },
    {
      sentence: 'A put of a large item that is interrupted leaves the old item or the new one.',
      file: `${LIBRARY}/patterns/large/ended-half-way.test.ts`,
      test: 'leaves the old item or the new one, and pieces that a collection deletes, ended %s any request',
    },
    {
      sentence: 'The table of a period is dropped only when its archive has everything that it has.',
      file: `${LIBRARY}/patterns/rotation/archiving.test.ts`,
      test: 'is not dropped when its archive has lost something',
    },
  ],
  'Late requests': [
    {
      sentence: 'No request uses shard map data that is older than its permitted age.',
      file: `${LIBRARY}/writes/write-item.test.ts`,
      test: 'is decided again when it was delayed for longer than the validity of its data',
    },
    {
      sentence: 'A read that took too long is repeated.',
      file: `${LIBRARY}/writes/write-item.test.ts`,
      test: 'is repeated when it took so long that the item may have moved to a shard that was not read',
    },
    {
      sentence:
        'Beyond that age two copies may arise. Both are kept and reported, and the change does not complete until they are resolved.',
      file: `${INTERLEAVINGS}/two-copies.txt`,
      test: 'both copies are kept and reported, and the change does not settle until you discard one',
    },
    {
      sentence: 'Of two copies of an item, batches and transactions use the same one as reads and updates.',
      file: `${INTERLEAVINGS}/copies-in-batches.txt`,
      test: 'a batch returns the same copy as a single read, after an update',
    },
  ],
  'Large transactions': [
    {
      sentence:
        'A transaction of 100 creations fits at any time while the count of its key changes, after 40 seconds at most with the default options.',
      file: `${LIBRARY}/transactions/large-transactions.test.ts`,
      test: 'fits at any time, after seconds, from %i to %i shards',
    },
  ],
  'What reading costs': [
    {
      sentence:
        'Reading the newest hundred items of sixteen shards costs at most one and a half times the minimum.',
      file: `${LIBRARY}/queries/read-amplification.long.test.ts`,
      test: 'times the minimum',
    },
    {
      sentence:
        'With a filter and a limit, all pages of 16 or 64 shards cost at most three times the unsharded units, and two requests a shard and page.',
      file: `${LIBRARY}/queries/filter-with-limit.test.ts`,
      test: 'times the units of one partition',
    },
    {
      sentence: 'Eventually consistent queries are spread over read replicas. Consistent queries are not.',
      file: `${LIBRARY}/queries/query-requests.test.ts`,
      test: 'uses only the table if it is consistent',
    },
    {
      sentence: 'An aborted query ends at once, whatever it is waiting for.',
      file: `${LIBRARY}/queries/query-requests.test.ts`,
      test: 'ends at once %s',
    },
  ],
  'Inverted indexes': [
    {
      sentence:
        'A query of an inverted index returns the same items as without shards, in the order of logical keys, in full pages, for every condition and both directions.',
      file: `${LIBRARY}/indexes/inverted-index.property.test.ts`,
      test: 'returns what it would return without shards',
    },
  ],
  'Indexes with dynamic counts': [
    {
      sentence:
        'An index with dynamic counts returns the same items as a plain one, in the same order, while the counts of its values rise and fall.',
      file: `${LIBRARY}/indexes/same-as-plain-index.property.test.ts`,
      test: 'with dynamic counts',
    },
    {
      sentence:
        'The count of a value grows when a partition of the index throttles the table, and no other value grows.',
      file: `${LIBRARY}/indexes/growing-index.test.ts`,
      test: 'grows the value whose partition throttles the table, and no other',
    },
    {
      sentence: 'Unprocessed members of a batch are sent again, and none is lost without being returned.',
      file: `${LIBRARY}/indexes/growing-index.test.ts`,
      test: 'sends the unprocessed members of a batch again',
    },
    {
      sentence: 'Queries read every shard that was ever in use, also when a count was lowered.',
      file: `${LIBRARY}/indexes/dynamic-index.test.ts`,
      test: 'may be lowered by hand, and then queries still read the retired shards',
    },
  ],
  'Sharded indexes while the count changes': [
    {
      sentence:
        'A sharded index contains each item with its attribute once and in order, after every write of any process.',
      file: `${LIBRARY}/indexes/while-the-count-changes.property.test.ts`,
      test: 'has each item with the attribute once and in order, after every write of any process',
    },
    {
      sentence:
        'A cursor of an index does not repeat an item that ended the previous page and was moved since.',
      file: `${LIBRARY}/queries/cursor-while-moving.test.ts`,
      test: 'return each item once, even if the last one of a page is moved before the next page',
    },
  ],
  'Keys of several attributes': [
    {
      sentence: 'An index whose key has several attributes may hold the shard in a separate attribute.',
      file: `${LIBRARY}/indexes/query-index.test.ts`,
      test: 'by_status_and_shard',
    },
  ],
  'Streams, caches, heat and bundles': [
    {
      sentence: 'A stream consumer sees each item once, under its logical key, even if it was moved.',
      file: `${LIBRARY}/streams/streams-on-local.test.ts`,
      test: 'a consumer of the stream sees each item once, under its logical key, though it was moved in between',
    },
    {
      sentence:
        'A second-level cache never extends the permitted age of a shard count, and never fails a request.',
      file: `${LIBRARY}/protocol/second-level-cache/second-level-cache.property.test.ts`,
      test: 'however clocks differ, no process uses a count later than a lifetime after it was replaced',
    },
    {
      sentence: 'The hottest keys are reported from a sketch of bounded size, with bounds of its error.',
      file: `${LIBRARY}/scaling/sensing/key-heat.property.test.ts`,
      test: 'the true units of a key lie within the bounds that the sketch gives',
    },
    {
      sentence: 'A client built from parts rejects operations of missing parts, and sends nothing.',
      file: `${LIBRARY}/client/parts.test.ts`,
      test: 'rejects a use of the missing part %s, and sends nothing',
    },
    {
      sentence:
        'Processes built from parts lose no items while others change the shard counts of their keys.',
      file: `${LIBRARY}/client/beside-full-processes.trials.test.ts`,
      test: 'lose nothing and read nothing twice while counts grow, shrink and drain',
    },
    {
      sentence: 'A bundle stays within its size limit, and imports only the client from the SDK.',
      file: 'tools/bundle.trials.test.ts',
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
