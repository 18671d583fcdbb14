import { dynamoDbLocal } from '../engines/dynamodb-local.js'
import type { Engine } from '../engines/engine.js'
import { inProcess, overHttp, withoutTransactions } from '../engines/local-engines.js'
import { GUARANTEES } from '../guarantees/all.js'
import type { Guarantee } from '../guarantees/guarantee.js'
import { whyNot } from '../guarantees/held-on.js'
import { HELD_ELSEWHERE } from './held-elsewhere.js'

/** The engines that the tests start themselves. */
const COLUMNS: readonly { readonly title: string; readonly engine: Engine }[] = [
  { title: 'in process', engine: inProcess },
  { title: 'HTTP', engine: overHttp },
  { title: 'DynamoDB Local', engine: dynamoDbLocal },
  { title: 'without transactions', engine: withoutTransactions },
]

/** The page that lists the library's guarantees, each with the tests that verify it. */
export function guaranteePage(): string {
  const count = GUARANTEES.reduce((sum, { all }) => sum + all.length, 0)
  const others = Object.values(HELD_ELSEWHERE).flat().length
  return `# What the library guarantees

<!-- Written by \`npm run guarantees\` from the tests; a test checks that it is current. -->

Each of these ${count} guarantees has a test that runs on four engines: the local engine in process, the local engine over
HTTP, AWS's DynamoDB Local, and the local engine without transactions, which behaves like ScyllaDB Alternator. ${others} more
guarantees need control over the engine's time and partitions. Other tests of the project verify them.

You can run the same tests against another engine with \`npx vitest run packages/behaviour/src/elsewhere.long.test.ts\` and these
environment variables. The tests create tables named \`isotherm_<time>_...\` and delete them again. A test that needs a
feature which the engine lacks is skipped, with the reason.

- \`ISOTHERM_BEHAVIOUR_ENDPOINT=http://127.0.0.1:8000\` runs them against ScyllaDB Alternator, or any other endpoint.
- \`ISOTHERM_BEHAVIOUR_LACKS=transactions\` names the features that this endpoint lacks, separated by commas. The default is
  \`transactions\`. Others are \`local indexes\` and \`strict batches\`.
- \`ISOTHERM_BEHAVIOUR_AWS=eu-central-1\` runs them against Amazon DynamoDB, with your own credentials.

${GUARANTEES.map(({ subject, file, all }) => section(subject, file, all)).join('\n')}
${Object.entries(HELD_ELSEWHERE).map(elsewhere).join('\n')}`
}

function section(subject: string, file: string, all: readonly Guarantee[]): string {
  const rows = all.map((guarantee) => {
    const needs = guarantee.needs?.join(', ') ?? ''
    const marks = COLUMNS.map(({ engine }) => (whyNot(engine, guarantee) === undefined ? 'yes' : 'no'))
    return `| ${guarantee.sentence} | ${needs} | ${marks.join(' | ')} |`
  })
  return `## ${subject}

Verified by [${file}](../packages/behaviour/src/guarantees/${file}).

| guarantee | needs | ${COLUMNS.map(({ title }) => title).join(' | ')} |
|---|---|${COLUMNS.map(() => '---|').join('')}
${rows.join('\n')}
`
}

function elsewhere([subject, all]: [string, (typeof HELD_ELSEWHERE)[string]]): string {
  const rows = all.map(({ sentence, file, test }) => {
    const name = file.split('/').at(-1)
    return `| ${sentence} | [${name}](../${file}): ${test.replace(' %s', '')} |`
  })
  return `## ${subject}

| guarantee | test |
|---|---|
${rows.join('\n')}
`
}
