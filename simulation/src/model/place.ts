import type { Copy, Process, Side, World } from './world.js'

/** The copy of an item at one of its places. */
export function copyAt({ items }: World, item: number, side: Side): Copy | undefined {
  return items[item]?.[side]
}

/** The world with another copy at a place of an item. */
export function withCopy(world: World, item: number, side: Side, copy: Copy | undefined): World {
  const items = world.items.map((places, index) => (index === item ? { ...places, [side]: copy } : places))
  return { ...world, items }
}

/** The world with another state of one process. */
export function withProcess(world: World, index: number, process: Process): World {
  return { ...world, processes: world.processes.map((each, at) => (at === index ? process : each)) }
}
