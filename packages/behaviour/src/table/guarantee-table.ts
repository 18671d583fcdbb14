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

<!-- Written by \`npm run guarantees\` from the suite itself; a test holds it to it. -->

${count} sentences, each a test of its own that runs on every engine: the local engine in process and over HTTP, AWS's
DynamoDB Local, and the local engine refusing transactions, as ScyllaDB Alternator does. ${others} more take an engine whose time and partitions are the test's, and are held there.

To hold another engine to them: \`ISOTHERM_BEHAVIOUR_ENDPOINT=http://127.0.0.1:8000\` for ScyllaDB Alternator, with
\`ISOTHERM_BEHAVIOUR_LACKS=transactions\` for what it does not have (so by default; also \`local indexes\`, \`strict batches\`);
\`ISOTHERM_BEHAVIOUR_AWS=eu-central-1\` for Amazon DynamoDB, with your own credentials. It makes tables named
\`isotherm_<time>_...\` and deletes them again. Then \`npx vitest run packages/behaviour/src/elsewhere.test.ts\`. What an
engine lacks is skipped by name, with the reason.

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

Held by [${file}](../packages/behaviour/src/guarantees/${file}).

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

| guarantee | test that holds it |
|---|---|
${rows.join('\n')}
`
}
