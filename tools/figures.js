// Writes the README's table and chart of the main run, from the run itself.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const run = ['packages/cli/bin/isotherm.js', 'run', 'hot-file', '--once', '--chart', 'docs/hot-file.svg']
const output = execFileSync(process.execPath, run, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
// The text after the chart's line is the speed of the machine, which differs from run to run.
const figures = output.slice(0, output.indexOf('\nChart: ')).trimEnd()

const begin = '<!-- figures: npm run figures -->'
const end = '<!-- /figures -->'
const readme = readFileSync('README.md', 'utf8')
const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
if (from < 0 || to < from) throw new Error(`README.md must hold ${begin} and, behind it, ${end}.`)
const block = `${begin}\n\n\`\`\`text\n${figures}\n\`\`\`\n\n`
writeFileSync('README.md', readme.slice(0, from) + block + readme.slice(to))
