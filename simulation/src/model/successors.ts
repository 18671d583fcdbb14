import { carryOutForApplication, current, firstRequest } from './application.js'
import { carryOutForDriver, hasWaited, nextOfDriver } from './driver.js'
import { withProcess } from './place.js'
import type { Protocol } from './protocol.js'
import { oldestView } from './stage.js'
import type { Process, Request, World } from './world.js'

/** One step that may happen next. */
export interface Successor {
  readonly label: string
  readonly world: World
}

/** Every step that may happen next: a request is sent, or carried out, a process learns the stage, or crashes. */
export function successors(world: World, protocol: Protocol): readonly Successor[] {
  return world.processes.flatMap((process, index) => [
    ...carriedOut(world, process, index, protocol),
    ...sends(world, process, index, protocol),
    ...learns(world, process, index),
    ...crashes(world, process, index),
  ])
}

function carriedOut(world: World, process: Process, index: number, protocol: Protocol): readonly Successor[] {
  const { sent } = process
  if (sent === undefined) return []
  const label = `${nameOf(process, index)}: ${shown(sent.request)} of item ${sent.item}, as of stage ${sent.view}, is carried out at stage ${world.stage}`
  if (process.role === 'application') {
    return carryOutForApplication(world, index, process, sent, protocol).map((after) => ({
      label,
      world: after,
    }))
  }
  if (process.role === 'driver') {
    return [{ label, world: carryOutForDriver(world, index, process, sent, protocol) }]
  }
  // The answer to a crashed process is nobody's, and its request may be lost with it.
  const orphan = { ...process, sent: undefined }
  return [
    {
      label: `${label}, unanswered`,
      world: withProcess(effectOf(world, process, index, protocol), index, orphan),
    },
    {
      label: `${nameOf(process, index)}: its last request is lost`,
      world: withProcess(world, index, orphan),
    },
  ]
}

/** What the last request of a crashed process does to the items and the stage. */
function effectOf(
  world: World,
  { sent, number, operation, view }: Extract<Process, { role: 'crashed' }>,
  index: number,
  protocol: Protocol,
): World {
  if (sent === undefined) return world
  // Each way to continue has the same effect.
  const [alive = world] =
    operation === undefined
      ? [carryOutForDriver(world, index, { role: 'driver', passedItems: 0, sent, view }, sent, protocol)]
      : carryOutForApplication(
          world,
          index,
          {
            role: 'application',
            operations: [operation],
            number,
            begun: true,
            firstLookFoundNothing: false,
            sent,
            view,
          },
          sent,
          protocol,
        )
  return { ...world, items: alive.items, stage: alive.stage }
}

function sends(world: World, process: Process, index: number, protocol: Protocol): readonly Successor[] {
  if (process.sent !== undefined || process.role === 'crashed') return []
  const { view } = process
  if (protocol.waitsForProcesses && view < oldestView(world.stage)) return []
  if (process.role === 'application') {
    if (process.operations.length === 0) return []
    const operation = current(process)
    const request = firstRequest(operation, view, protocol)
    const label = `process ${index} sends ${shown(request)} for ${operation.kind} of item ${operation.item}, as of stage ${view}`
    const sent = { request, item: operation.item, view }
    return [{ label, world: withProcess(world, index, { ...process, begun: true, sent }) }]
  }
  return nextOfDriver(process, view, world, protocol)
    .filter(({ request }) => hasWaited(world, request, view, protocol))
    .map((next) => ({
      label: `driver ${index} sends ${shown(next.request)} of item ${next.item}, as of stage ${view}`,
      world: withProcess(world, index, { ...process, sent: { ...next, view } }),
    }))
}

function learns(world: World, process: Process, index: number): readonly Successor[] {
  if (process.role === 'crashed' || process.sent !== undefined || process.view === world.stage) return []
  const label = `${nameOf(process, index)} reads the shard map: stage ${world.stage}`
  const learnt =
    process.role === 'driver'
      ? { ...process, view: world.stage, passedItems: 0 }
      : { ...process, view: world.stage, firstLookFoundNothing: false }
  return [{ label, world: withProcess(world, index, learnt) }]
}

function crashes(world: World, process: Process, index: number): readonly Successor[] {
  if (world.crashesLeft === 0 || process.role === 'crashed') return []
  const operation = process.role === 'application' && process.begun ? current(process) : undefined
  const number = process.role === 'application' ? process.number : -1
  // A process that waits for no answer and has promised nothing is as good as one that has no operations.
  if (process.sent === undefined && operation === undefined && process.role === 'application') return []
  const crashed: Process = { role: 'crashed', sent: process.sent, view: process.view, number, operation }
  return [
    {
      label: `${nameOf(process, index)} crashes`,
      world: { ...withProcess(world, index, crashed), crashesLeft: world.crashesLeft - 1 },
    },
  ]
}

function nameOf(process: Process, index: number): string {
  return `${process.role === 'driver' ? 'driver' : 'process'} ${index}`
}

function shown(request: Request): string {
  if (request.kind === 'advance') return `the change to stage ${request.to}`
  return `a ${request.kind} at its ${request.side} place`
}
