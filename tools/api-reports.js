// Writes the reports in `api`, which list what each entry exports. Needs a build.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { install } from './installed-folder.js'

const folder = fileURLToPath(new URL('../api', import.meta.url))
if (!install(folder)) process.exit(1)
const { status } = spawnSync(process.execPath, ['api-reports.js'], { cwd: folder, stdio: 'inherit' })
process.exitCode = status ?? 1
