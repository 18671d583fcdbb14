// Writes the table and the chart of the main run into the README, in each language, from the run itself.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const run = ['packages/cli/bin/isotherm.js', 'run', 'hot-file', '--once', '--chart', 'docs/hot-file.svg']
const output = execFileSync(process.execPath, run, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
// The text after the chart's line is the speed of the machine, which differs from run to run.
const figures = output.slice(0, output.indexOf('\nChart: ')).trimEnd()

const begin = '<!-- figures: npm run figures -->'
const end = '<!-- /figures -->'
const block = `${begin}\n\n\`\`\`text\n${figures}\n\`\`\`\n\n`
for (const page of ['README.md', 'README.ja.md']) {
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${page} must hold ${begin} and, behind it, ${end}.`)
  writeFileSync(page, text.slice(0, from) + block + text.slice(to))
}
