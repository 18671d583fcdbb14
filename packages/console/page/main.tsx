import { render } from 'preact'
import { App } from './app'
import './main.css'
import { loadScenarios } from './scenarios/scenario-state'
import { followServer } from './state/data'

const root = document.getElementById('console')
if (root !== null) render(<App />, root)
followServer()
void loadScenarios()
