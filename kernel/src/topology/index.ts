/** The ways that decisions take, and which one takes which. */
export {
  listAgentNames,
  parseTopologies,
  selectTopology,
  TOPOLOGIES,
  type Topology,
  type TopologyRow,
} from './topology.ts'
