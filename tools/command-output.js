// Runs the commands whose output the guides show, and writes the output into the guides: each block of text behind a comment
// `<!-- output: isotherm plan --hot-writes 300 -->`.
//
//   npm run command-output
//   node tools/command-output.js --print     prints the guides as JSON instead, by path
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const BLOCK = /(<!-- output: isotherm ([^\n]*?) -->\n+```\n).*?(```)/gs
const bin = resolve('packages/cli/bin/isotherm.js')

function outputOf(command) {
  const env = { ...process.env, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...command.split(' ')], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0 || stdout === '') throw new Error(`isotherm ${command} printed nothing to show: ${stderr}`)
  return stdout
}

const guides = readdirSync('docs')
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ path: `docs/${file}`, text: readFileSync(`docs/${file}`, 'utf8') }))
  .filter(({ text }) => text.includes('<!-- output: isotherm '))

const written = guides.map(({ path, text }) => [
  path,
  text.replace(BLOCK, (_, begin, command, end) => `${begin}${outputOf(command)}${end}`),
])

if (process.argv.includes('--print')) process.stdout.write(JSON.stringify(Object.fromEntries(written)))
else for (const [path, text] of written) writeFileSync(path, text)
