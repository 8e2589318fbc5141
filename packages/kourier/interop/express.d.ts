// The little of express that the official SDK's server is mounted with.
declare module 'express' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  namespace express {
    type Request = IncomingMessage;
    type RequestHandler = (request: Request, response: ServerResponse, next: (error?: unknown) => void) => void;
    interface Express {
      (request: Request, response: ServerResponse): void;
      use(path: string, ...handlers: RequestHandler[]): Express;
      get(path: string, ...handlers: RequestHandler[]): Express;
    }
  }
  function express(): express.Express;
  export = express;
}
