import { expect, it } from 'vitest'
import { UpdateHabit } from './update-habit.js'

it('expects items until most writes have missed theirs', () => {
  const habit = new UpdateHabit()
  let misses = 0
  while (habit.expectsItem()) {
    habit.learned(false)
    misses += 1
  }
  expect(misses).toBe(6)
})

it('tries one of 64 writes then, and expects items again once they are found', () => {
  const habit = new UpdateHabit()
  for (let write = 0; write < 20; write++) habit.learned(false)
  const tried = Array.from({ length: 640 }, () => habit.expectsItem()).filter((expected) => expected)
  expect(tried).toHaveLength(10)
  for (let write = 0; write < 6; write++) habit.learned(true)
  expect(habit.expectsItem()).toBe(true)
})

it('is not changed by a miss now and then', () => {
  const habit = new UpdateHabit()
  for (let write = 0; write < 1_000; write++) {
    expect(habit.expectsItem()).toBe(true)
    habit.learned(write % 4 !== 0)
  }
})
