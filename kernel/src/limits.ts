/** Every limit of the kernel and the engine. A thing without a limit is a way in. */
export const LIMITS = {
  /** Strict JSON at every boundary. */
  json: { depth: 64, bytes: 262_144, keys: 4_096 },
  /** Identifiers: `[A-Za-z0-9._:@-]{1,128}`. */
  identifierLength: 128,
  /** Free text of an agent: kept verbatim, shown escaped, never read by a gate. */
  justificationLength: 16_384,
  /** How far ahead `valid_until` may lie: an agent that may ask for any time has no deadline. */
  deadlineHorizonMs: 86_400_000,
  /** How long an accepted intent may wait for its dispatch. */
  dispatchWithinMs: 30_000,
  /** How long an accepted intent holds its resources before it must be dispatched. */
  lockHoldMs: 20_000,
  /** The longest that a proposal waits for a resource, and how often it looks. */
  lockWaitMs: 5_000,
  lockLookMs: 25,
  /** How old a snapshot may be when the contract does not say. */
  contextAgeMs: 900_000,
  /** What an agent is shown, in tokens; of a compensation that it is to choose twice one part in so many. */
  contextTokens: 8_000,
  choiceShare: 4,
  contextTokensDeclared: 1_000_000,
  /** A snapshot, in bytes, or so many for each token where its budget is larger; those in memory. */
  snapshotBytes: 131_072,
  snapshotTokenBytes: 16,
  snapshotsBytes: 67_108_864,
  /** How often a flow is shown a new context. */
  refreshesPerFlow: 300,
  /** Of the session the newest, of those in the window: notes, and what was proposed, decided and observed. */
  contextSessionEvents: 30,
  contextNotes: 10,
  /** Of an agent's newest decisions, those among which a flow looks for its own. */
  contextDecisionsRead: 50,
  contextWindowMs: 86_400_000,
  /** Of the agent's own decisions the latest. */
  contextMemoryEntries: 10,
  /** Of the pieces of documents the best. */
  contextArtifactChunks: 5,
  /** State paths that a flow asks for, once its patterns are written out. */
  contextStatePaths: 256,
  /** A word that stands in more pieces than this finds nothing that others would not find better. */
  artifactWordPlaces: 256,
  /** What an agent may look for at once; it is noted with what was found. */
  searchLength: 1_024,
  /** A note of the session: longer ones are documents. */
  noteLength: 16_384,
  notesPerFlow: 20_000,
  /** What is kept of an agent's own decisions, how much of what is said about each, and of what was sent. */
  memoryKept: 1_000,
  memorySummaryLength: 400,
  memorySaidLength: 1_024,
  /** How far ahead of us the clock of whoever observes may be. */
  clockSkewMs: 2_000,
  /** The longest that a machine sleeps: a clock that was set further forward has to be confirmed. */
  clockStepMs: 604_800_000,
  /** How old an observation may be when it comes: what somebody kept is not news. */
  observationAgeMs: 86_400_000,
  /** An observation, as JSON, and how many may come at once. */
  observationBytes: 65_536,
  observationsAtOnce: 256,
  /** Sources of a tenant, patterns of one, and paths that one may speak of. */
  sources: 1_000,
  sourcePatterns: 256,
  sourcePaths: 100_000,
  /** Claims that an agent may have standing. */
  claimsPerAgent: 64,
  /** How long an operator's word stands in front of the owner's: unless said, and at most. */
  operatorWordMs: 3_600_000,
  operatorWordMaxMs: 604_800_000,
  /** What an agent keeps for itself, as JSON. */
  agentStateBytes: 65_536,
  /** A reference document, in UTF-8. */
  artifactBytes: 1_048_576,
  /** Documents that an agent keeps for itself; pieces of a document that are read at once. */
  documentsPerAgent: 64,
  documentPieces: 256,
  /** Proposals that are judged in one flow: all that it did is looked through when one fails. */
  proposalsPerFlow: 1_000,
  /** The third final rejection ends the flow when the contract does not say. */
  intentRetries: 3,
  /** A report of usage: so many measures, and no more minor units of one at a time. */
  usageMeasures: 16,
  usageUnits: 1_000_000_000_000,
  /** What opened a flow, where the runtime opens it. */
  triggerLength: 1_024,
  /** A timer fires no more often than this, and waits no longer than that. */
  timerLeastMs: 1_000,
  timerMostMs: 31_536_000_000,
  /** Timers that an agent sets for itself, and how often one of them fires at most: nobody attends them. */
  timersPerAgent: 16,
  agentTimerLeastMs: 60_000,
  /** The longest silence that a watchdog may allow, and how often it is looked for. */
  watchdogMinutes: 10_080,
  watchdogEveryMs: 10_000,
  /** Transient refusals (contention, drift, overload) have their own, wider limit. */
  /** The longest window of an agent's budget, in seconds: 31 days. */
  windowS: 2_678_400,
  /** Refusals of an agent in an hour, where its contract does not say. */
  rejectionsPerHour: 100,
  /** Proposals to a flow that has ended which are still recorded. */
  lateProposals: 3,
  transientRetries: 10,
  /** Chains of writs up to the issuer, and of agents up to the one that has no parent. */
  delegationDepth: 8,
  writScopes: 256,
  contractLimits: 256,
  policies: 256,
  /** Policies that are text stand in the ledger as they are written: all of them, in characters. */
  policyTexts: 262_144,
  /** How long the rules before count after an upgrade of the software alone. */
  rulesOverlapMs: 3_600_000,
  /** The longest that an operator may let them count. */
  rulesOverlapMostMs: 86_400_000,
  deltaOps: 256,
  resourceIdLength: 256,
  /** Of a path into parameters. */
  pointerLength: 512,
  resourcesPerProposal: 64,
  /** A flow's own writ lives this long. */
  flowWritMs: 86_400_000,
  /** An escalation that nobody answers aborts its flow; a parent agent has so much of that time. */
  escalationMs: 3_600_000,
  parentMs: 300_000,
  /** How long somebody may have a request to themselves: a courtesy, not a lock. */
  claimMs: 900_000,
  /** An approval of HIGH_IMPACT that comes sooner was given without reading. */
  highImpactDwellMs: 10_000,
  /** Modifications of one request that are kept as judged, for each person. */
  modificationsJudged: 16,
  /** What has to be typed before it, at most. */
  acknowledgementLength: 64,
  /** Requests of one agent that wait for approval, and exceptions of it are counted in this time. */
  approvalsWaiting: 100,
  escalationWindowMs: 3_600_000,
  /** Requests that are looked at for one page of a list. */
  escalationsLooked: 2_000,
  /** The third failure of its effects sends a flow to a person. */
  operationalFailures: 3,
  /** What an agent with so many successes has never done is unusual, and so many times as much. */
  unusualAfterSuccesses: 10,
  unusualFactor: 10,
  /** Of an agent's past so much is looked at when it escalates. */
  pastSuccesses: 10,
  /** What whoever decides is shown: rows of the effect, and like requests of so many days. */
  previewRows: 32,
  decisionsBefore: 50,
  decisionsBeforeMs: 2_592_000_000,
  /** What people are called, and the sum of what one is known by. */
  personNameLength: 256,
  identitiesPerPerson: 32,
  /** People who may approve what an agent asks. */
  approvers: 32,
  probeAttempts: 5,
  resendAttempts: 5,
  /** Uncertain effects that are looked into at the same time: of all kinds, and of one. */
  reconciledAtOnce: 64,
  reconciledOfOneKind: 16,
  /** A row of background work that failed so often in a row goes to a person. */
  rowFailures: 5,
  backoffBaseMs: 200,
  backoffMaxMs: 30_000,
  /** Resending under a key stops this long before the provider forgets the key. */
  idempotencyMarginMs: 60_000,
  /** A process that another took for dead may still let go of a send for this long. */
  lateSendMs: 60_000,
  resultBytes: 262_144,
  /** What is kept of words that somebody gives as a reason, or that an error says. */
  wordsLength: 1_024,
  /** A notice: how long its channel may take, how often it is tried, how many go there at a time. */
  noticeMs: 10_000,
  noticeAttempts: 120,
  noticesAtOnce: 8,
  /** What is kept of those that reached nobody. */
  noticesFailed: 1_000,
  /** A soft guard: how long it may take, how many questions are open, and how much it may say. */
  guardMs: 5_000,
  guardQuestions: 256,
  guardWords: 1_024,
  /** A semantic auditor: how many steps it is shown at a time, and how long it may take for them. */
  auditSteps: 20,
  auditMs: 120_000,
  /** Sessions of agents: how long one lasts, and how many an agent may have open. */
  sessionMs: 43_200_000,
  sessionsPerAgent: 64,
  /** Sessions of people: how long one lasts unused, and at most; how many each; how often it is noted. */
  personIdleMs: 3_600_000,
  personSessionMs: 43_200_000,
  sessionsPerPerson: 16,
  personSeenMs: 60_000,
  /** A sign-in with a provider: how long it may take, how long the provider, how far its clock is off. */
  signInMs: 600_000,
  oidcMs: 10_000,
  oidcSkewMs: 30_000,
  /** How far from now a handshake may have been signed, and how many of an agent are remembered meanwhile. */
  handshakeMs: 60_000,
  handshakesRemembered: 256,
  /** How far from now a request of an agent may have been signed, and how many of one are remembered. */
  proofMs: 60_000,
  proofNonces: 100_000,
  /** Instances of one class that have not ended. */
  instancesPerClass: 1_000,
  /** Instances that one agent has spawned by proposal and that have not ended, and how long they may live. */
  instancesPerSpawner: 64,
  /** Of one class in an hour of the clock, by proposal, and the contract of an instance, as JSON. */
  instancesPerHour: 256,
  instanceContractBytes: 65_536,
  instanceMs: 604_800_000,
  /** How long known agents are served while the registry cannot be reached. */
  manifestTtlMs: 60_000,
  /** The engine's queue: beyond it the answer is OVERLOADED, before anything is stored. */
  proposalsInFlight: 1_024,
  /** How often a unit of work is built again after a failed guard. */
  unitAttempts: 100,
  /** How long `propose` waits for the effect before it answers PENDING. */
  waitMs: 10_000,
  /** How often an agent that waits for a person looks whether there is an answer. */
  settledLookMs: 250,
  /** The server: what one principal, and one address without a principal, may ask a second. */
  requestsPerSecond: 500,
  requestsAtOnce: 1_000,
  /** Of one principal at the same time: some cost a thousand times as much as others. */
  requestsUnderWay: 64,
  strangersPerSecond: 10,
  strangersAtOnce: 60,
  /** Lines of the log about who was refused; more are only counted. */
  refusalLinesPerSecond: 20,
  refusalLinesAtOnce: 200,
  /** How many of either it remembers. */
  principalsRemembered: 10_000,
  connections: 4_096,
  /** Of one address that is no proxy of ours; of IPv6 of its network of 64 bits. */
  connectionsEach: 512,
  /** Requests that wait on one connection for the answer before theirs; with more it is ended. */
  requestsPipelined: 16,
  /** Of one principal, beside everything else that it asks: to stop an agent, a contract or a writ. */
  stopsPerSecond: 10,
  stopsAtOnce: 100,
  /** How long a request may take to arrive, and requests that are under way to end at shutdown. */
  requestMs: 30_000,
  /** How long its head may take, and how often somebody looks for those that are late. */
  requestHeadMs: 10_000,
  requestLookMs: 1_000,
  /** How long a connection stays on which nothing is asked. */
  keepAliveMs: 72_000,
  drainMs: 20_000,
  /** Streams of events of a tenant, and of one principal; how often whoever listens is looked for. */
  eventStreams: 1_024,
  eventStreamsEach: 64,
  eventLookMs: 200,
  /** A stream is written to at least so often; one that takes nothing for so long is cut off. */
  eventBeatMs: 15_000,
  eventStallMs: 60_000,
  /** When whoever was cut off may come back. */
  eventRetryMs: 1_000,
  /** Of the latest events so many are remembered, and of so many flows whose they are. */
  eventsRemembered: 4_096,
  eventFlows: 8_192,
  eventsPerPage: 256,
  eventFilterLength: 4_096,
  /** Lookups that wait for the thread that answers them; beyond it the answer is OVERLOADED. */
  lookupsWaiting: 1_024,
  /** Whether it is ready is found out no more often than this. */
  readinessMs: 1_000,
  /** A reply is kept for whoever asks again under the same key; a larger one is not. */
  replyMs: 3_600_000,
  replyBytes: 262_144,
  /** Rows of a list. */
  listed: 1_000,
  /** An agent explains itself so often in one flow. */
  explanationsPerFlow: 100,
  /** Monitors of a tenant, what one may watch, and the most that a window holds. */
  monitors: 256,
  monitorAgents: 256,
  monitorWindowExecutions: 1_000_000,
  monitorWindowDays: 366,
  /** Below so many executions a monitor has nothing to say, where it does not say itself. */
  monitorMinSamples: 20,
  /** Bins of a distribution, and what a baseline must at least count. */
  monitorBins: 64,
  monitorBaseline: 10,
  /** The most that is kept of a watched text. */
  monitorTextLength: 64,
  /** Flows that a trip names; it counts all of them. */
  monitorFlowsNamed: 50,
  /** Executions that are kept in one record. */
  monitorBlockRows: 500,
  /** A chart: executions that are looked at for it, and points that it has. */
  seriesSamples: 50_000,
  seriesPoints: 500,
  /** Its first points, between which a monitor was when all was well. */
  seriesBaseline: 20,
  /** Entries of authority that are searched for marks, and marks that it has. */
  seriesEntries: 10_000,
  seriesMarks: 200,
  /** Entries of the ledger over which a monitor is rehearsed beside a running engine. */
  rehearsedEntries: 50_000,
  /** A contract, a monitor or a policy that a person sends as text, in characters. */
  sourceLength: 65_536,
  /** Problems of a document that are named; more are counted. */
  documentProblems: 1_000,
  /** What is tried: how long one request may take of its thread, and how many wait for it, of one asker. */
  draftMs: 2_000,
  draftsWaiting: 16,
  draftsWaitingEach: 4,
  /** How long that thread stays when nobody tries anything. */
  draftIdleMs: 60_000,
  /** Decisions that are judged again at a time, and flows in which they are looked for. */
  pastDecisions: 1_000,
  pastFlows: 5_000,
  /** Flows that are looked through for one page of decisions. */
  pastFlowsListed: 2_000,
  /** Questions about the past: at the same time, in line, and how long one may hold the thread. */
  pastQuestions: 2,
  pastQuestionsWaiting: 32,
  pastSliceMs: 5,
  pastQuestionMs: 30_000,
  /** Runs of leaves that are put into the directory at a time, and while there are proposals. */
  leafBlocksPerRound: 16,
  leafBlocksBusy: 2,
  /** Runs that one search looks through. */
  leafBlocksSearched: 4_096,
  /** Moments of a World that are remembered, by the resources in them; entries between two. */
  worldResourcesKept: 500_000,
  worldMomentEntries: 1_000,
  /** Entries that are searched at a time for those that changed a resource. */
  changesSearched: 16_384,
  /** Downloads of the ledger at the same time. */
  downloads: 8,
  /** A search, in characters, and what it may ask for. */
  queryLength: 1_024,
  queryTerms: 16,
  /** Ledger. */
  checkpointEveryEntries: 1_000,
  checkpointEveryMs: 10_000,
  entriesPerPage: 1_000,
  /** Leaves that are read again in a round, how often, and when all of them are once more. */
  scrubLeaves: 1_000,
  scrubEveryMs: 5_000,
  scrubPassEveryMs: 3_600_000,
} as const
