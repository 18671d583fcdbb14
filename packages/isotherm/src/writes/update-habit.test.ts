import { describe, expect, it } from 'vitest'
import { UpdateHabit } from './update-habit.js'

/** How many writes in a row expect their item, if none finds it. */
function missesOf(habit: UpdateHabit): number {
  let misses = 0
  while (habit.expectsItem()) {
    habit.learned(false)
    misses += 1
  }
  return misses
}

describe('the habit of a process', () => {
  it('is changed by the first write that misses its item', () => {
    expect(missesOf(new UpdateHabit())).toBe(1)
  })

  it('is changed by six misses in a row once items are found', () => {
    const habit = new UpdateHabit()
    for (let write = 0; write < 100; write++) habit.learned(true)
    expect(missesOf(habit)).toBe(6)
  })

  it('tries one of 64 writes then, and expects items again once they are found', () => {
    const habit = new UpdateHabit()
    for (let write = 0; write < 20; write++) habit.learned(false)
    const tried = Array.from({ length: 640 }, () => habit.expectsItem()).filter((expected) => expected)
    expect(tried).toHaveLength(10)
    for (let write = 0; write < 6; write++) habit.learned(true)
    expect(habit.expectsItem()).toBe(true)
  })

  it('expects items again after one that is found, if only the first was missed', () => {
    const habit = new UpdateHabit()
    habit.learned(false)
    expect(habit.expectsItem()).toBe(false)
    habit.learned(true)
    expect(habit.expectsItem()).toBe(true)
  })

  it('is not changed by a miss now and then', () => {
    const habit = new UpdateHabit()
    for (let write = 1; write < 1_000; write++) {
      expect(habit.expectsItem()).toBe(true)
      habit.learned(write % 4 !== 0)
    }
  })
})
