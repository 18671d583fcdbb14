import { effect, signal } from '@preact/signals'
import type { Theme } from '../map/colour'

const dark = matchMedia('(prefers-color-scheme: dark)')
const KEY = 'isotherm.theme'

/** What the person chose. Without a choice, the system's setting holds. */
const chosen = signal<Theme | undefined>(remembered())

export const theme = signal<Theme>(chosen.value ?? (dark.matches ? 'dark' : 'light'))

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
}

dark.addEventListener('change', () => {
  if (chosen.peek() === undefined) theme.value = dark.matches ? 'dark' : 'light'
})

effect(() => {
  if (chosen.value !== undefined) {
    theme.value = chosen.value
    localStorage.setItem(KEY, chosen.value)
  }
  document.documentElement.dataset.theme = theme.value
})

function remembered(): Theme | undefined {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : undefined
}
