import { expect, it } from 'vitest'
import { MapView } from './map-view.js'
import { MemoryMap } from './memory-map.js'

it('a view lets its store use the space again once, however often it is closed', () => {
  const closed: MapView[] = []
  const view = new MapView(new MemoryMap(), (each) => closed.push(each))
  expect(closed).toEqual([])
  view.close()
  view.close()
  expect(closed).toEqual([view])
})

it('a closed view cannot be read, and says so', () => {
  const view = new MapView(new MemoryMap())
  view.close()
  expect(() => [...view.range({ from: '' as never, to: undefined })]).toThrow(
    expect.objectContaining({ code: 'local.closed' }),
  )
})
