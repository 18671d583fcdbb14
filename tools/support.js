// Writes docs/support.md: every operation that the AWS SDK knows, and what the engine does with it.
//
//   node tools/support.js [--print]     prints the page instead
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { CLOUDWATCH_OPERATIONS } from '../packages/local/dist/cloudwatch/operations.js'
import { OPERATIONS } from '../packages/local/dist/operations/operations.js'

const PAGE = 'docs/support.md'
const fromEngine = createRequire(new URL('../packages/local/src/index.ts', import.meta.url))
const SERVICES = [
  { title: 'DynamoDB', package: '@aws-sdk/client-dynamodb' },
  { title: 'DynamoDB Streams', package: '@aws-sdk/client-dynamodb-streams' },
]

/** The kinds of schemas in the SDK's models. */
const [LIST, MAP, STRUCTURE] = [1, 2, 3]
const KINDS = { [LIST]: 'list', [MAP]: 'map', [STRUCTURE]: 'structure' }

/** The operations of a service by name, with the schemas of their requests. */
function operationsOf(name) {
  const sdk = fromEngine(name)
  return Object.keys(sdk)
    .filter((exported) => exported.endsWith('Command') && exported !== '$Command')
    .map((exported) => {
      const [, , operation, , input] = new sdk[exported]({}).schema
      return { operation, input: resolved(input) }
    })
    .sort((a, b) => (a.operation < b.operation ? -1 : 1))
}

/** Resolves a schema reference: a function where it would be circular, and a pair where the schema has traits. */
function resolved(schema) {
  if (typeof schema === 'function') return resolved(schema())
  return Array.isArray(schema) && typeof schema[1] !== 'string' ? resolved(schema[0]) : schema
}

/**
 * The members of a request that the engine refuses explicitly, with their paths.
 * @throws Error for a member that the engine would ignore: nothing would report that it has no effect.
 */
function refusedIn(model, shape, path) {
  // An attribute value is decoded separately, and both sides know the same ten types.
  if (!Array.isArray(model) || shape.type === 'attribute-value') return []
  const [kind, , , , ...rest] = model
  if (KINDS[kind] !== shape.type) throw new Error(`${path} is a ${KINDS[kind]} and not a ${shape.type}.`)
  if (kind === LIST) return refusedIn(resolved(rest[0]), shape.of, `${path}[]`)
  if (kind === MAP) return refusedIn(resolved(rest[1]), shape.of, `${path}{}`)
  const [names, schemas] = rest
  return names.flatMap((name, at) => {
    const member = shape.members[name]
    if (member !== undefined) return refusedIn(resolved(schemas[at]), member, `${path}.${name}`)
    if (shape.unsupported?.includes(name)) return [`${path}.${name}`]
    throw new Error(`${path}.${name} is neither done nor refused by the engine.`)
  })
}

function row({ operation, input }) {
  const definition = OPERATIONS.get(operation)
  if (definition === undefined) return `| ${operation} | \`UnknownOperationException\` | |`
  const refused = refusedIn(input, definition.shape, operation)
  const shown = refused.map((member) => `\`${member.slice(operation.length + 1)}\``)
  return `| ${operation} | answered | ${shown.join(', ')} |`
}

function section({ title, package: name }) {
  const operations = operationsOf(name)
  const there = operations.filter(({ operation }) => OPERATIONS.has(operation))
  return `## ${title}: ${there.length} of ${operations.length} operations

| operation | | parameters refused by name |
|---|---|---|
${operations.map(row).join('\n')}
`
}

const page = `# What the local engine answers

<!-- Written by \`npm run support\` from the engine's own operations and the models of the AWS SDK; a test holds it to them. -->

An operation that the engine does not have is answered with \`UnknownOperationException\`, never with a silent success. A
\`ValidationException\` names each parameter that is refused. No parameter that the SDK knows is passed over.

${SERVICES.map(section).join('\n')}
## CloudWatch

${[...CLOUDWATCH_OPERATIONS.keys()].sort().join(', ')} are answered at the same endpoint, for the figures of
DynamoDB: [what they report](metrics.md). Every other operation of CloudWatch is not.
`

if (process.argv.includes('--print')) process.stdout.write(page)
else writeFileSync(PAGE, page)
