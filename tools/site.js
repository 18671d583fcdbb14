// Builds the web site of the documents into `site/dist`, from the pages as they are in the repository.
//
//   npm run site                    builds it; a link that leads nowhere is an error
//   npm run site -- dev             serves it on this machine while you write
//   npm run site -- preview         serves what was built
import { spawn, spawnSync } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { placePages } from '../site/pages.js'
import { install } from './installed-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'site')
const COMMANDS = ['build', 'dev', 'preview']

const [command = 'build', ...args] = process.argv.slice(2)
if (!COMMANDS.includes(command)) {
  console.error(`npm run site has no command '${command}'. It has: ${COMMANDS.join(', ')}.`)
  process.exit(2)
}
if (!install(folder)) process.exit(1)
if (command !== 'preview') {
  for (const program of ['public-types.js', 'node_modules/typedoc/bin/typedoc']) {
    const { status } = spawnSync(process.execPath, [program], programOptions())
    if (status !== 0) {
      console.error(`The site was not built: ${program} ended with code ${status}.`)
      process.exit(status ?? 1)
    }
  }
  placePages()
}
if (command === 'dev') watch(join(root, 'docs'), { recursive: true }, placePages)
const generator = spawn(
  process.execPath,
  ['node_modules/vitepress/bin/vitepress.js', command, '.', ...args],
  programOptions(),
)
generator.on('exit', (status) => process.exit(status ?? 1))

function programOptions() {
  return { cwd: folder, stdio: 'inherit' }
}
