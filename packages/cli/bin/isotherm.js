#!/usr/bin/env node
// Plain JavaScript, so that it can report a missing build.
import { existsSync } from 'node:fs'
import module from 'node:module'

// From Node 22 on, compiled code stays in the system's temporary folder: the next start takes a quarter less.
module.enableCompileCache?.()

// The AWS SDK warns on Node 20. This process prints only its own messages; in users' processes the warning stays.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

// Colours are for terminals. Where CI is set, picocolors prints them into files and pipes, too.
if (!process.stdout.isTTY && !process.env.FORCE_COLOR) process.env.NO_COLOR = '1'

// A reader that closes early, such as `| head`, is not an error, and neither is a terminal that is closed. Work that has to be ended, such
// as counting that costs money, ends as by Ctrl-C. Its output until then is lost.
let hasReader = true
const onClosed = () => {
  if (!hasReader) return
  hasReader = false
  // A second SIGINT would end the work at once.
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit()
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY)) return onClosed()
    if (stream === process.stdout) {
      const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.message
      process.stderr.write(`isotherm: The output cannot be written: ${reason}.\n`)
    }
    process.exit(1)
  })
}

const LEAST_NODE = [20, 19]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
  console.error(
    `isotherm: This is Node ${process.versions.node}; isotherm needs ${LEAST_NODE.join('.')} or newer.`,
  )
  process.exitCode = 1
} else if (!existsSync(new URL('../dist/index.js', import.meta.url))) {
  console.error("isotherm: The command is not built yet; run 'npm run build' first.")
  process.exitCode = 1
} else {
  const { main } = await import('../dist/index.js')
  const exitCode = await main(process.argv.slice(2))
  process.exitCode = hasReader ? exitCode : 0
}
