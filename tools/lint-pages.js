// Writes a page for each rule of `isotherm lint` to docs/lint, and the list of rules in docs/lint.md, from the rules themselves.
//
//   npm run lint-pages
//   node tools/lint-pages.js --print     prints them as JSON instead, by path
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ItemSample, lintTable, parseItems, RULES, readTables } from '../packages/advisor/dist/index.js'

const FOLDER = 'docs/lint'
const GUIDE = 'docs/lint.md'
const MAX_ITEMS = 2
/** Long values of examples are cut. */
const MAX_LINE = 200

function findingOf({ id, example }) {
  const [table] = readTables(JSON.stringify(example.table), 'table.json')
  const lines = (example.items ?? []).map((item) => JSON.stringify(item)).join('\n')
  const sample = example.items === undefined ? undefined : new ItemSample(table, parseItems(lines))
  return lintTable(table, sample).findings.find(({ rule }) => rule === id)
}

function itemsOf({ items }) {
  if (items === undefined) return []
  const shown = items.slice(0, MAX_ITEMS).map((item) => {
    const line = JSON.stringify(item)
    return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)}...`
  })
  const rest = items.length - shown.length
  const more = rest === 0 ? [] : [`... and ${rest} more`]
  const count = items.length === 1 ? 'an item' : `${items.length} items`
  return ['', `With ${count} (\`--items\`):`, '', '```', ...shown, ...more, '```']
}

/** JSON with small objects on one line each, as a person writes a request. */
function shortJson(value) {
  const text = JSON.stringify(value, null, 2)
  return text.replace(
    /\{\s+("\w+": [^{}[\]]+?)\s+\}/g,
    (_, members) => `{ ${members.replace(/\s*\n\s*/g, ' ')} }`,
  )
}

function pageOf(rule) {
  const { id, level, title, why, sources, example } = rule
  const { subject, evidence, consequence, cure } = findingOf(rule)
  return [
    `# ${id}`,
    '',
    '<!-- Written by `npm run lint-pages` from the rule itself. -->',
    '',
    `${title}. Level: **${level}**. ${example.items === undefined ? 'It looks at the definition of the table.' : 'It looks at items of the table.'}`,
    '',
    '## Why',
    '',
    why.join('\n\n'),
    '',
    '## Example',
    '',
    '```json',
    shortJson(example.table),
    '```',
    ...itemsOf(example),
    '',
    `\`isotherm lint\` reports for *${subject}*:`,
    '',
    `> ${evidence}\n>\n> ${consequence}`,
    '',
    '## Cure',
    '',
    cure.text,
    ...(cure.code === undefined ? [] : ['', '```ts', cure.code.trimEnd(), '```']),
    '',
    '## Ignore it',
    '',
    `In a YAML template, write \`# isotherm-ignore ${id} -- the reason\` in the definition of the table. [Other ways](../lint.md#ignore-findings).`,
    '',
    '## Sources',
    '',
    ...sources.map((source) => `- <${source}>`),
    '',
  ].join('\n')
}

/** What the command prints for a template. */
function outputFor(template) {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-lint-'))
  try {
    writeFileSync(join(folder, 'template.yaml'), template)
    const bin = resolve('packages/cli/bin/isotherm.js')
    const env = { ...process.env, NO_COLOR: '1' }
    return spawnSync(process.execPath, [bin, 'lint', 'template.yaml'], { cwd: folder, env, encoding: 'utf8' })
      .stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function guide() {
  const rows = RULES.map(({ id, level, title }) => `| [\`${id}\`](lint/${id}.md) | ${level} | ${title} |`)
  const table = ['| rule | level | finding |', '|---|---|---|', ...rows].join('\n')
  const text = readFileSync(GUIDE, 'utf8')
  const [, template = ''] = /<!-- lint-template -->\n+```yaml\n(.*?)```/s.exec(text) ?? []
  const output = outputFor(template)
  return text
    .replace(/(<!-- lint-output[^>]*-->\n+```\n).*?(```)/s, (_, begin, end) => `${begin}${output}${end}`)
    .replace(
      /(<!-- rules: [^>]*-->\n).*?(\n<!-- \/rules -->)/s,
      (_, begin, end) => `${begin}\n${table}\n${end}`,
    )
}

const pages = Object.fromEntries([
  ...RULES.map((rule) => [`${FOLDER}/${rule.id}.md`, pageOf(rule)]),
  [GUIDE, guide()],
])

if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(pages))
else {
  mkdirSync(FOLDER, { recursive: true })
  for (const file of readdirSync(FOLDER)) if (!(`${FOLDER}/${file}` in pages)) rmSync(`${FOLDER}/${file}`)
  for (const [path, text] of Object.entries(pages)) writeFileSync(path, text)
}
