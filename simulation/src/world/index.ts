/** The parts of a world that benchmarks use too: the engine and the client without the SDK's layers around them. */
export { type Answer, type EngineLane, engineLane } from './engine-lane.js'
export { type ClientGround, lightClient } from './light-client.js'
