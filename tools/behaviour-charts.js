// Writes the charts of the engine's main behaviours, from runs on virtual time: the same on every machine.
import { mkdirSync, writeFileSync } from 'node:fs'
import { drawBehaviourChart, runBehaviours } from '../scenarios/dist/index.js'

mkdirSync('docs/behaviours', { recursive: true })
for (const run of await runBehaviours()) {
  writeFileSync(`docs/behaviours/${run.name}.svg`, drawBehaviourChart(run))
}
