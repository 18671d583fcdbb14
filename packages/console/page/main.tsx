import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app'
import './main.css'
import { loadScenarios } from './scenarios/scenario-state'
import { connections, followServer } from './state/data'

const root = document.getElementById('console')
if (root !== null) render(<App />, root)
followServer()
effect(() => {
  void connections.value
  void loadScenarios()
})
