/** The ways that decisions take, which one takes which, and the events that wake agents. */

export { admitAgents, findLargestChange, measureChange } from './admission.ts'
export {
  type AdmissionCount,
  computeEventId,
  type EventBody,
  type EventObservation,
  type EventPayload,
  type EventRef,
} from './event.ts'
export { EVENT_LIMITS } from './event-limits.ts'
export {
  type AdmissionRule,
  type AdmissionTokens,
  type Arbitration,
  findTopicRow,
  getArbitration,
  parseTopics,
  type TopicRow,
} from './topic.ts'
export {
  findUnknownKinds,
  listAgentNames,
  listAskedTopologies,
  parseTopologies,
  selectTopology,
  TOPOLOGIES,
  type Topology,
  type TopologyRow,
} from './topology.ts'
