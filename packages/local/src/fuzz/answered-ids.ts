import { type Random, randomInteger } from '@isotherm/runtime'

/** Members of responses, and the member of requests that takes such a value. */
const TAKEN_AS = new Map([
  ['BackupArn', 'BackupArn'],
  ['ExportArn', 'ExportArn'],
  ['ImportArn', 'ImportArn'],
  ['LastEvaluatedBackupArn', 'ExclusiveStartBackupArn'],
  ['LatestStreamArn', 'StreamArn'],
  ['NextShardIterator', 'ShardIterator'],
  ['NextToken', 'NextToken'],
  ['RevisionId', 'ExpectedRevisionId'],
  ['SequenceNumber', 'SequenceNumber'],
  ['ShardId', 'ShardId'],
  ['ShardIterator', 'ShardIterator'],
])
const MEMBER = new RegExp(`"(${[...TAKEN_AS.keys()].join('|')})":"([^"\\\\]+)"`, 'g')

/** How many values of a member are kept. The newest replaces the oldest. */
const MAX_KEPT = 20
/** Longer responses hold items, and no ids that matter. */
const MAX_READ_BYTES = 20_000

/** The ids that responses contained. With them, requests can name a backup, an export or an iterator that exists. */
export class AnsweredIds {
  readonly #values = new Map<string, string[]>()

  /** Keeps the ids of a response. */
  read(body: Buffer): void {
    if (body.length > MAX_READ_BYTES) return
    for (const [, member = '', value = ''] of body.toString().matchAll(MEMBER)) {
      const name = TAKEN_AS.get(member) ?? member
      const values = this.#values.get(name) ?? []
      values.push(value)
      if (values.length > MAX_KEPT) values.shift()
      this.#values.set(name, values)
    }
  }

  /** A value that a response had for this member of requests, if any had one. */
  draw(random: Random, member: string): string | undefined {
    const values = this.#values.get(member)
    return values?.[randomInteger(random, 0, values.length - 1)]
  }
}
