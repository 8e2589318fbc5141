"""The official Python SDK's view of a card: JSON requests on standard input, as many answers on standard output."""

import json
import sys


def reparse(card):
    """1.x reads cards of both versions into its own types; 0.3 has types of 0.3 alone."""
    try:
        from a2a.client.card_resolver import parse_agent_card
        from google.protobuf.json_format import MessageToDict
    except ImportError:
        from a2a.types import AgentCard

        model = AgentCard.model_validate(card)
        return model.model_dump(mode='json', by_alias=True, exclude_none=True)
    return MessageToDict(parse_agent_card(card))


def sign(card, jwk):
    from a2a.client.card_resolver import parse_agent_card
    from a2a.utils.signing import create_agent_card_signer
    from google.protobuf.json_format import MessageToDict
    from jwt.api_jwk import PyJWK

    header = {'kid': jwk['kid'], 'alg': jwk['alg'], 'jku': None, 'typ': 'JOSE'}
    signer = create_agent_card_signer(PyJWK.from_dict(jwk), header)
    return MessageToDict(signer(parse_agent_card(card)))


def verify(card, jwk):
    from a2a.client.card_resolver import parse_agent_card
    from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
    from jwt.api_jwk import PyJWK

    verifier = create_signature_verifier(lambda kid, jku: PyJWK.from_dict(jwk), [jwk['alg']])
    try:
        verifier(parse_agent_card(card))
    except InvalidSignaturesError:
        return False
    return True


OPERATIONS = {'reparse': reparse, 'sign': sign, 'verify': verify}
json.dump([OPERATIONS[request.pop('operation')](**request) for request in json.load(sys.stdin)], sys.stdout)
