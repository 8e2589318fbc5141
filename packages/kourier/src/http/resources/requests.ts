import { problem } from '../problem.ts';
import { post, type Route } from '../route.ts';

/** Questions and approvals. No thread opens one yet, so none can be found. */
export function requestsResource(): readonly Route[] {
  return [
    post(
      '/api/v1/requests/:id/answer',
      'RequestAnswer',
      { summary: 'Answers a question or decides an approval', answers: {}, problems: ['request-not-found'] },
      () => problem('request-not-found', 'Use the id of a request entry in a timeline.'),
    ),
  ];
}
