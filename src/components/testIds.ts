// The marks that tests look for where a role or a text would not tell two things apart.
export const testIds = {
  answer: (question: string) => `replay-evidence answer ${question}`,
  appStatus: 'replay-evidence app status',
  distribution: 'replay-evidence distribution',
  elapsed: 'replay-evidence elapsed',
  empty: 'replay-evidence empty',
  loading: 'replay-evidence loading',
  partial: 'replay-evidence partial',
  problem: 'replay-evidence problem',
  proof: 'replay-evidence proof',
  requestTime: 'replay-evidence request time',
};
